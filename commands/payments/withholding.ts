import { isPositive, type Money, minimum, subtract } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { withheldFrom, withholdBalance, withholdNotes } from '../../db/queries/credit/spending.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { creditKeyOf } from '../credit/creditBalance.ts';
import { API_USER, type Moment } from '../kernel/caller.ts';
import { type Application, asRequested } from './applications.ts';

interface Changed {
  /** Whose credit balance in which currency the undone applications spent. */
  was: CreditOwner;
  /** Whose credit balance in which currency the new applications add to. */
  is: CreditOwner;
  undone: readonly PaymentApplication[];
  made: readonly Application[];
}

interface CreditOwner {
  customer: Customer | null;
  currency: string;
}

/**
 * Withholds credit that a person took back from invoices: it does not pay them again by itself. Money that was taken back from an invoice and
 * became credit does not either, nor does a credit note that was withheld and goes to the credit balance. Call it when the credit balance is
 * recomputed.
 */
export async function withholdUndone(
  em: EntityManager,
  { caller }: Pick<Moment, 'caller'>,
  { was, is, undone, made }: Changed,
): Promise<void> {
  if (caller.userId !== API_USER) return;
  const accountId = caller.account.id;
  const isCreditMade = addsCredit(made);
  const ofNotes: { invoiceId: number; noteId: number; amount: Money }[] = [];
  const ofFormer: { invoiceId: number; amount: Money }[] = [];
  const ofBalance: { invoiceId: number; amount: Money }[] = [];
  for (const { type, invoiceId, creditNoteId: noteId, amount } of lessMade(undone, made)) {
    if (!invoiceId) continue;
    if (noteId) ofNotes.push({ invoiceId, noteId, amount });
    else if (type === 'applied_credit') ofFormer.push({ invoiceId, amount });
    else if (isCreditMade) ofBalance.push({ invoiceId, amount });
  }
  const moved = made.flatMap(({ type, creditNoteId: id, amount }) => (type === 'credit' && id ? [{ id, amount }] : []));
  if (ofNotes.length > 0) await withholdNotes(em, accountId, ofNotes);
  const noteIds = moved.map(({ id }) => id);
  const withheld = noteIds.length > 0 ? await withheldFrom(em, { accountId, noteIds }) : [];
  for (const { invoiceId, noteId, amount: most } of withheld) {
    const amount = minimum(moved.find(({ id }) => id === noteId)?.amount ?? '0', most);
    ofBalance.push({ invoiceId, amount });
  }
  if (was.customer && ofFormer.length > 0) await withholdBalance(em, creditKeyOf(was.customer, was.currency), ofFormer);
  if (is.customer && ofBalance.length > 0) await withholdBalance(em, creditKeyOf(is.customer, is.currency), ofBalance);
}

/** What was undone, less what was made of the same to the same invoice in its place. */
function lessMade(undone: readonly PaymentApplication[], made: readonly Application[]): Application[] {
  const keyOf = ({ type, invoiceId, creditNoteId }: Application) => `${type} ${invoiceId} ${creditNoteId ?? null}`;
  const again = new Map(made.map((one) => [keyOf(one), one.amount]));
  return undone.flatMap((one) => {
    const asked = asRequested(one);
    const key = keyOf(asked);
    const kept = minimum(again.get(key) ?? '0', asked.amount);
    again.set(key, subtract(again.get(key) ?? '0', kept));
    const amount = subtract(asked.amount, kept);
    return isPositive(amount) ? [{ ...asked, amount }] : [];
  });
}

/** Whether applications add to the credit balance. */
export function addsCredit(made: readonly Pick<Application, 'type'>[]): boolean {
  return made.some(({ type }) => type === 'credit');
}
