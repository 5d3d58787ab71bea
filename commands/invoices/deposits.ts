import { isPositive, minimum, roundMoney } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { updateInvoiceStatus } from '../aggregates/invoice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { applyPart } from '../payments/applying.ts';
import { newCreditPayment } from '../payments/creditPayments.ts';
import { recordPayment } from '../payments/paymentEvents.ts';

/**
 * Pays the invoice of an estimate at issue by a payment without money, from the estimate's deposit. The caller records the invoice's event.
 */
export async function payFromDeposit(
  em: EntityManager,
  locked: LockedCustomer,
  { invoice, estimate }: { invoice: Invoice; estimate: Estimate },
): Promise<void> {
  const { currency } = invoice;
  const { now: date } = locked.moment;
  const amount = roundMoney(minimum(estimate.depositLeft, invoice.balance), currency);
  if (!isPositive(amount)) return;
  const payment = await newCreditPayment(em, locked, { amount, currency, date });
  applyPart(em, { moment: locked.moment, invoice }, { payment, part: { type: 'deposit', amount, estimate } });
  updateInvoiceStatus(invoice, date);
  recordPayment(em, locked, { payment, charge: null, type: 'payment.created' });
}
