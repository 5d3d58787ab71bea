import type { EntityManager } from '../../db/orm.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Moment } from '../kernel/caller.ts';
import { ledger, post } from '../kernel/posting.ts';
import { type paymentEventObject, recordPayment } from './paymentEvents.ts';
import type { Payer } from './refunds.ts';

/** Posts that money was not received, of a payment that no invoice has. */
export function postVoid(
  em: EntityManager,
  moment: Moment,
  { payment, customerId, cash }: { payment: Payment; customerId: number | null; cash: string },
): void {
  const { accountId, currency, id } = payment;
  const about = { customerId, invoiceId: null, paymentId: id };
  const dates = { documentAt: payment.date, postedAt: moment.now };
  post(em, { accountId, currency, reason: 'void_payment', ...about, ...dates }, [
    { debit: ledger.unapplied, credit: ledger.cash, amount: cash },
  ]);
}

/** Marks a payment as voided and records it. */
export function markVoided(
  em: EntityManager,
  payer: Payer,
  {
    payment,
    charge,
    before,
  }: { payment: Payment; charge: Charge | null; before: ReturnType<typeof paymentEventObject> },
): void {
  Object.assign(payment, { voided: true, balance: '0', matched: false, updatedAt: payer.moment.now });
  recordPayment(em, payer, { payment, charge, type: 'payment.deleted', before });
}
