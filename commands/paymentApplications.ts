import { exactAmount } from '../billing/limits.ts';
import { compare, sum } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Payment } from '../db/schema/payment.ts';
import { PaymentApplication } from '../db/schema/paymentApplication.ts';
import { applyPayment, unapplyPayment } from './applying.ts';
import { checkCollectable } from './charges.ts';
import { lockInvoices } from './invoiceMoment.ts';
import type { CustomerMoment } from './moment.ts';

/** A part of a payment, and the invoice that it pays. */
export interface Application {
  invoiceId: number;
  amount: string;
}

/** Refuses applications of more than a payment's amount, of a payment without a customer, and of one invoice twice. */
export function checkApplications(
  applications: readonly Application[],
  of: { currency: string; amount: string; customerId: number | null },
): void {
  const { currency, amount: most } = of;
  const amounts = applications.map(({ amount }, index) =>
    exactAmount(amount, currency, `applied_to[${index}][amount]`),
  );
  const applied = sum(amounts, currency);
  if (compare(applied, most) > 0)
    throw new Refusal(`Applications of ${applied} exceed the amount of ${most}`, 'applied_to');
  if (of.customerId === null && applications.length > 0)
    throw new Refusal('A payment without a customer cannot be applied', 'applied_to');
  if (new Set(applications.map(({ invoiceId }) => invoiceId)).size !== applications.length)
    throw new Refusal('An invoice is named twice', 'applied_to');
}

/** Each with the name that the request has for it. */
export function named(applications: readonly Application[]): (Application & { param: string })[] {
  return applications.map((application, index) => ({ ...application, param: `applied_to[${index}]` }));
}

/** Applies a payment to invoices of its customer. Refuses what they cannot take, naming the application. */
export async function applyAll(
  em: EntityManager,
  at: CustomerMoment,
  what: { payment: Payment; applications: ReturnType<typeof named> },
): Promise<void> {
  const { payment, applications } = what;
  const ids = applications.map((application) => application.invoiceId);
  const targets = await lockInvoices(em, at, ids);
  for (const { invoiceId, amount, param } of applications) {
    const target = targets.find((candidate) => candidate.invoice.id === invoiceId);
    const wanted = { id: invoiceId, amount, currency: payment.currency, param };
    checkCollectable(at, target?.invoice, wanted);
    if (target) await applyPayment(em, target, { payment, amount });
  }
}

/** What a payment pays, oldest first. */
export function applicationsOf(em: EntityManager, payment: Payment): Promise<PaymentApplication[]> {
  return em.find(PaymentApplication, { accountId: payment.accountId, payment }, { orderBy: { id: 'asc' } });
}

/** Takes applications of a payment off their invoices, which are of this customer. */
export async function unapplyAll(
  em: EntityManager,
  at: CustomerMoment,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): Promise<void> {
  const { payment, applications } = undo;
  const ids = applications.map((application) => application.invoice.id);
  const targets = await lockInvoices(em, at, ids);
  for (const application of applications) {
    const target = targets.find((candidate) => candidate.invoice.id === application.invoice.id);
    if (target) await unapplyPayment(em, target, { payment, application });
  }
}
