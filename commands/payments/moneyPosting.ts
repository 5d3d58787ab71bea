import type { EntityManager } from '../../db/orm.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Moment } from '../kernel/moment.ts';
import { type Move, type Posting, post } from '../kernel/posting.ts';

/** Posts moves of a payment's money that happen now, such as a refund. */
export function postMoney(
  em: EntityManager,
  { payment, moment, reason }: { payment: Payment; moment: Moment; reason: Posting['reason'] },
  moves: readonly Move[],
): void {
  const { accountId, currency, id: paymentId } = payment;
  const { now } = moment;
  const about = { customerId: payment.customer?.id ?? null, invoiceId: null, paymentId };
  post(em, { accountId, currency, reason, ...about, documentAt: now, postedAt: now }, moves);
}
