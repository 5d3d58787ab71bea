import { isPositive, subtract } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Refund } from '../../db/schema/refund.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import type { Moment } from '../kernel/moment.ts';
import { ledger } from '../kernel/posting.ts';
import { createCreditBalanceAdjustment } from '../payments/adjustments.ts';
import { returnLoss } from '../payments/losses.ts';
import { paymentEventObject } from '../payments/paymentEvents.ts';
import { returnRefund } from '../payments/refunds.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import { lockMoney, type Recorded, recordChange } from './sentRefunds.ts';

/**
 * Undoes a refund that was recorded and whose money did not leave: the payment or the credit balance has it again. Money that was returned
 * becomes unapplied. Refuses one that a gateway made. Throws Missing.
 */
export async function deleteRefund(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Recorded> {
  const accountId = caller.account.id;
  const found = await em.findOne(Refund, { accountId, id }, { populate: ['adjustment'] });
  if (!found) throw new Missing('Refund', id);
  if (!found.method) throw new Refusal('state_conflict', `Refund ${id} was made by a gateway: it cannot be undone`);
  if (!found.payment) return giveCreditBack(em, { caller, id, refund: found }, systemNow);
  const locked = await lockMoney(em, { caller, id: found.payment.id }, systemNow);
  const refund = await lockRecorded(em, { accountId, id });
  const { payment, charge, at } = locked;
  if (payment.voided)
    throw new Refusal(
      'state_conflict',
      `Payment ${payment.id} of refund ${id} is voided: it cannot have its money again`,
    );
  const before = paymentEventObject(at, payment, charge);
  const sent = { refundId: id, date: refund.date ?? refund.createdAt };
  if (refund.returned && at.customer) {
    const parts = { fromPayment: refund.fromUnapplied, fromFee: '0', expense: refund.expense };
    await returnLoss(em, at, { payment, charge: null, from: ledger.cash, reason: 'return', sent, ...parts });
  } else await returnRefund(em, at, { payment, charge, account: ledger.cash, sent, refund });
  if (charge) charge.amountRefunded = subtract(charge.amountRefunded, refund.amount);
  markUndone(refund, at.moment);
  await recordChange(em, locked, { refund, before });
  if (at.customer && isPositive(refund.fromCredit)) await payOpenInvoices(em, at, { currency: payment.currency });
  return { refund, customerId: payment.customer?.id ?? null };
}

async function giveCreditBack(
  em: EntityManager,
  { caller, id, refund: found }: { caller: Caller; id: number; refund: Refund },
  systemNow: Date,
): Promise<Recorded> {
  const { adjustment, amount, currency } = found;
  if (!adjustment) throw new Error(`refund ${id} is of nothing`);
  const customerId = adjustment.customer.id;
  const about = { caller, customerId, currency, date: found.date ?? null, notes: null, refundId: id };
  const given = await createCreditBalanceAdjustment(em, { ...about, amount }, systemNow);
  const refund = await lockRecorded(em, { accountId: given.accountId, id }); // after the customer
  markUndone(refund, { caller, now: given.createdAt, systemNow });
  return { refund, customerId };
}

/** Locks a recorded refund. Refuses one that was undone before. */
async function lockRecorded(em: EntityManager, key: { accountId: number; id: number }): Promise<Refund> {
  const refund = await lockRow(em, Refund, key);
  if (!refund) throw new Missing('Refund', key.id);
  if (refund.status === 'failed') throw new Refusal('state_conflict', `Refund ${key.id} was undone already`);
  return refund;
}

function markUndone(refund: Refund, { now }: Moment): void {
  Object.assign(refund, { status: 'failed', failureMessage: 'It was undone: the money did not leave', updatedAt: now });
}
