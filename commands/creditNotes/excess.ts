import type { Money } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { CreditBalanceAdjustment } from '../../db/schema/creditBalanceAdjustment.ts';
import type { LockedCreditNote } from '../aggregates/creditNote.ts';
import { createCreditBalanceAdjustment, deleteCreditBalanceAdjustment } from '../payments/adjustments.ts';

/** Adds the amount by which a forced credit note exceeds its invoice to the credit balance, without tax. */
export async function creditExcess(
  em: EntityManager,
  { creditNote, moment }: LockedCreditNote,
  amount: Money,
): Promise<void> {
  const { id: creditNoteId, currency, customer, forceReason: notes = null } = creditNote;
  const { caller } = moment;
  const asked = { caller, customerId: customer.id, currency, amount, date: null, notes, creditNoteId };
  await createCreditBalanceAdjustment(em, asked, moment.systemNow);
}

/** Takes back what `creditExcess` credited. Refuses when it has been spent. */
export async function takeExcessBack(em: EntityManager, { creditNote, moment }: LockedCreditNote): Promise<void> {
  const { accountId, id: creditNoteId } = creditNote;
  const found = await em.find(CreditBalanceAdjustment, { accountId, creditNoteId }, { fields: ['id'] });
  for (const { id } of found) await deleteCreditBalanceAdjustment(em, { caller: moment.caller, id }, moment.systemNow);
}
