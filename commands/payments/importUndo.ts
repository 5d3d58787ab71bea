import { compare } from '../../billing/money/money.ts';
import type { RowFault } from '../../billing/payments/bankStatement.ts';
import { breather } from '../../db/fairness/breather.ts';
import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockStatements } from '../../db/queries/invoices/paidParts.ts';
import { Payment } from '../../db/schema/payment.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { paymentEventObject } from './paymentEvents.ts';
import { markVoided, postVoid } from './voiding.ts';

/** Maximum number of payments that are written together: to write them blocks the event loop. */
const MOST_WRITTEN = 250;

/** Answer to one payment: it was undone, or why it was not. */
export type UndoneImport = { payment: number } & ({ undone: true } | { refusal: RowFault });

/**
 * Voids payments that imports of bank statements created and that nobody has used, and forgets the rows that they come from: a later import of
 * the same statement creates them again. A payment that is refused holds up no other one.
 */
export async function undoImport(
  em: EntityManager,
  { caller, ids }: { caller: Caller; ids: readonly number[] },
  systemNow: Date,
): Promise<UndoneImport[]> {
  const accountId = caller.account.id;
  await lockStatements(em, accountId);
  const locked = await lockRows(em, Payment, { accountId, ids: [...new Set(ids)] });
  const payments = new Map(locked.map((payment) => [payment.id, payment]));
  const payer = { moment: accountMoment(caller, systemNow), customer: null };
  const answers: UndoneImport[] = [];
  const breathe = breather();
  let count = 0;
  for (const [place, id] of ids.entries()) {
    const payment = payments.get(id);
    const param = `payments[${place}]`;
    const reason = payment ? whyKept(payment) : null;
    if (!payment)
      answers.push({
        payment: id,
        refusal: { code: 'resource_missing', message: `Payment was not found: ${id}`, param },
      });
    else if (reason !== null)
      answers.push({ payment: id, refusal: { code: 'state_conflict', message: reason, param } });
    else {
      const before = paymentEventObject(payer, payment, null);
      postVoid(em, payer.moment, { payment, customerId: null, cash: payment.amount });
      payment.statementKey = null;
      markVoided(em, payer, { payment, charge: null, before });
      answers.push({ payment: id, undone: true });
      count += 1;
      if (count % MOST_WRITTEN === 0) await em.write();
    }
    await breathe();
  }
  return answers;
}

/** Why a payment stays as it is; null: an import created it, and nobody has used it. */
function whyKept(payment: Payment): string | null {
  const { voided, statementKey, charge, customer, amount, balance, refundedOwn, refundExpense, refunds } = payment;
  if (voided) return 'Payment is already voided';
  if (statementKey === null || charge) return 'Payment was not imported from a bank statement';
  const isRefunded = refunds.length > 0 || compare(refundedOwn, '0') !== 0 || compare(refundExpense, '0') !== 0;
  if (isRefunded) return 'Payment was refunded: void it instead';
  if (customer || compare(balance, amount) !== 0) return 'Payment has a customer already: void it instead';
  return null;
}
