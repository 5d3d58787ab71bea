import type { EntityManager } from '../../db/orm.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Moment } from '../kernel/moment.ts';
import { type Move, type Posting, post } from '../kernel/posting.ts';

/** How money of a payment moves. `sent`: the refund that no gateway sent, and its date; absent: it moves now. */
export interface MoneyMove {
  payment: Payment;
  moment: Moment;
  reason: Posting['reason'];
  sent?: Sent | null | undefined;
}

/** A refund that no gateway sends. */
export interface Sent {
  refundId: number;
  date: Date;
}

/** Posts moves of a payment's money, such as a refund. */
export function postMoney(
  em: EntityManager,
  { payment, moment, reason, sent = null }: MoneyMove,
  moves: readonly Move[],
): void {
  const { accountId, currency, id: paymentId } = payment;
  const { now } = moment;
  const about = {
    customerId: payment.customer?.id ?? null,
    invoiceId: null,
    paymentId,
    refundId: sent?.refundId ?? null,
  };
  post(em, { accountId, currency, reason, ...about, documentAt: sent?.date ?? now, postedAt: now }, moves);
}
