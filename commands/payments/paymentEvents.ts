import { breather } from '../../db/fairness/breather.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { presentPayment } from '../../present/payments/payment.ts';
import { takeReceiptNumbers } from '../accounts/numbering.ts';
import type { Moment } from '../kernel/caller.ts';
import { countEvent, record, recordCounted } from '../kernel/record.ts';

interface PaymentContext {
  moment: Moment;
  customer: Customer | null;
}

/** A payment as events carry it, with the whole customer. */
export function paymentEventObject(context: Pick<PaymentContext, 'customer'>, payment: Payment, charge: Charge | null) {
  const customer = context.customer ? presentWholeCustomer(context.customer) : null;
  return { ...presentPayment(payment, charge), customer };
}

interface PaymentEvent {
  payment: Payment;
  charge: Charge | null;
  type: 'payment.created' | 'payment.updated' | 'payment.deleted';
  before?: ReturnType<typeof paymentEventObject>;
  /** Absent: only its actor is known. */
  reason?: EventReason | undefined;
}

/**
 * Numbers the receipts of payments whose money has arrived now, and records their events. Everything else is written before the numbers,
 * because the series stays locked until the commit.
 */
export async function recordReceived(
  em: EntityManager,
  context: PaymentContext,
  changes: readonly PaymentEvent[],
): Promise<void> {
  const counted = changes.map((change) => ({ ...change, event: countEvent(change.type, change.payment) }));
  await em.write();
  await takeReceiptNumbers(
    em,
    context.moment.caller.account.id,
    changes.map(({ payment }) => payment),
  );
  const breathe = breather();
  for (const { payment, charge, before, event, reason } of counted) {
    await breathe();
    const subject = { type: 'payment', id: payment.id };
    recordCounted(em, context.moment, {
      event,
      subject,
      object: paymentEventObject(context, payment, charge),
      before,
      reason,
    });
  }
}

/** Records an event of a payment. */
export function recordPayment(em: EntityManager, context: PaymentContext, change: PaymentEvent): void {
  const { payment, charge, type, before, reason } = change;
  const subject = { type: 'payment', id: payment.id, row: payment };
  const object = paymentEventObject(context, payment, charge);
  record(em, context.moment, { type, subject, object, before, reason });
}
