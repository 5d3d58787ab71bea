import { exactAmount } from '../billing/limits.ts';
import { add, compare, subtract, sum } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Payment } from '../db/schema/payment.ts';
import { type ApplicationType, PaymentApplication } from '../db/schema/paymentApplication.ts';
import { applyCredit, applyPayment, takeBack, unapplyPayment } from './applying.ts';
import { checkCollectable } from './collectable.ts';
import { type InvoiceMoment, lockInvoices } from './invoiceMoment.ts';
import type { CustomerMoment } from './moment.ts';

/** A part of a payment, and what it does. */
export interface Application {
  type: ApplicationType;
  amount: string;
  /** What it pays; null: it goes to the credit balance. */
  invoiceId: number | null;
}

export type NamedApplication = Application & {
  /** The application as the request names it, `applied_to[0]`. */
  param: string;
};

/** Refuses applications of more than a payment's amount, of a payment without a customer, and of one thing twice. */
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
  const seen = new Set<string>();
  for (const { type, invoiceId } of applications) {
    if (seen.has(`${type} ${invoiceId}`))
      throw new Refusal(invoiceId === null ? `${type} is named twice` : 'An invoice is named twice', 'applied_to');
    seen.add(`${type} ${invoiceId}`);
  }
}

/** Each with the name that the request has for it. */
export function named(applications: readonly Application[]): NamedApplication[] {
  return applications.map((application, index) => ({ ...application, param: `applied_to[${index}]` }));
}

export function touchesCredit(applications: readonly { type: ApplicationType }[]): boolean {
  return applications.some(({ type }) => type !== 'invoice');
}

/**
 * Applies a payment to invoices of its customer and to its credit balance, whose balance after each change is the caller's to settle.
 * Refuses what an invoice cannot take, naming the application.
 */
export async function applyAll(
  em: EntityManager,
  at: CustomerMoment,
  what: { payment: Payment; applications: readonly NamedApplication[] },
): Promise<void> {
  const { payment, applications } = what;
  const targets = await lockTargets(em, at, { applications, currency: payment.currency });
  for (const target of targets) {
    const parts = applications.filter(({ invoiceId }) => invoiceId === target.invoice.id);
    await applyPayment(em, target, { payment, parts });
  }
  for (const { invoiceId, amount } of applications)
    if (invoiceId === null) applyCredit(em, at.moment, { payment, amount });
}

/** Locks the invoices that applications pay. Refuses what one of them cannot take, naming the application. */
export async function lockTargets(
  em: EntityManager,
  at: CustomerMoment,
  { applications, currency }: { applications: readonly NamedApplication[]; currency: string },
): Promise<InvoiceMoment[]> {
  const targets = await lockInvoices(em, at, idsOf(applications));
  const planned = new Map<number, string>();
  for (const { invoiceId, amount, param } of applications) {
    if (invoiceId === null) continue;
    const invoice = targets.find((target) => target.invoice.id === invoiceId)?.invoice;
    const before = planned.get(invoiceId) ?? '0';
    const owed = invoice ? { owed: subtract(invoice.balance, before) } : {};
    checkCollectable(at, invoice, { id: invoiceId, amount, currency, param, ...owed });
    planned.set(invoiceId, add(before, amount));
  }
  return targets;
}

function idsOf(applications: readonly { invoiceId: number | null }[]): number[] {
  return [...new Set(applications.flatMap(({ invoiceId }) => invoiceId ?? []))];
}

/** What a payment pays, oldest first. */
export function applicationsOf(em: EntityManager, payment: Payment): Promise<PaymentApplication[]> {
  return em.find(PaymentApplication, { accountId: payment.accountId, payment }, { orderBy: { id: 'asc' } });
}

/** Takes applications of a payment back from invoices of this customer, and from its credit balance. */
export async function unapplyAll(
  em: EntityManager,
  at: CustomerMoment,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): Promise<void> {
  const { payment, applications } = undo;
  const invoiceIdOf = (application: PaymentApplication) => application.invoice?.id ?? null;
  const ids = idsOf(applications.map((application) => ({ invoiceId: invoiceIdOf(application) })));
  for (const target of await lockInvoices(em, at, ids)) {
    const own = applications.filter((application) => invoiceIdOf(application) === target.invoice.id);
    await unapplyPayment(em, target, { payment, applications: own });
  }
  for (const application of applications)
    if (invoiceIdOf(application) === null) takeBack(em, at.moment, { payment, application });
}
