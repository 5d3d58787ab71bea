import { exactAmount } from '../../billing/limits.ts';
import { add, compare, isZero, subtract, sum } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { type ApplicationType, PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { type LockedCreditNote, lockCreditNotes, recordBalanceChanges } from '../aggregates/creditNote.ts';
import { type LockedEstimate, lockEstimates } from '../aggregates/estimate.ts';
import {
  type LockedInvoiceWithoutLines,
  lockInvoices,
  lockInvoicesWithoutLines,
  withLinesOfEach,
} from '../aggregates/invoice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { checkApplicable } from './applicable.ts';
import {
  applyCredit,
  applyPayment,
  applyToDeposit,
  removeApplication,
  unapplyPayment,
  updateAfterBalanceChange,
} from './applying.ts';
import { checkCollectable } from './collectable.ts';
import { checkDepositable, checkDepositLeft, recordDepositChanges, refuseSpent } from './deposits.ts';

/** One application of a payment. */
export interface Application {
  type: ApplicationType;
  amount: string;
  /** The invoice that it pays; null: it goes to the credit balance or to an estimate. */
  invoiceId: number | null;
  /** The credit note that pays; null: money or the credit balance pays. */
  creditNoteId?: number | null;
  /** The estimate whose deposit it adds to; with an invoice: the estimate whose deposit pays. */
  estimateId?: number | null;
}

export type NamedApplication = Application & {
  /** Path of the application in the request, `applied_to[0]`. */
  param: string;
};

/** Refuses applications beyond the payment's amount, any application of a payment without a customer, and duplicates. */
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
    throw new Refusal('amount_too_large', `Applications of ${applied} exceed the amount of ${most}`, 'applied_to');
  if (of.customerId === null && applications.length > 0)
    throw new Refusal('parameter_invalid', 'A payment without a customer cannot be applied', 'applied_to');
  const seen = new Set<string>();
  for (const { type, invoiceId, creditNoteId = null, estimateId = null } of applications) {
    const key = `${type} ${invoiceId} ${creditNoteId} ${estimateId}`;
    if (seen.has(key))
      throw new Refusal(
        'parameter_invalid',
        invoiceId === null ? `${type} is named twice` : 'An invoice is named twice',
        'applied_to',
      );
    seen.add(key);
  }
}

/** Adds its path in the request to each application. */
export function withParams(applications: readonly Application[]): NamedApplication[] {
  return applications.map((application, index) => ({ ...application, param: `applied_to[${index}]` }));
}

/** Whether applications change the credit balance. */
export function affectsCreditBalance(applications: readonly { type: ApplicationType }[]): boolean {
  return applications.some(({ type }) => type === 'credit' || type === 'applied_credit');
}

/**
 * Applies a payment's money and credit to invoices, deposits of estimates and the credit balance. The caller recomputes the credit balance.
 * Refuses what `checkTargets` refuses.
 */
export async function applyAll(
  em: EntityManager,
  locked: LockedCustomer,
  what: { payment: Payment; applications: readonly NamedApplication[]; reason?: EventReason | undefined },
): Promise<void> {
  const { payment, applications, reason } = what;
  const documents = await lockTargets(em, locked, applications);
  checkTargets(locked, documents, { applications, currency: payment.currency });
  const { notes, estimates } = documents;
  const targets = await withLinesOfEach(em, documents.targets);
  const parts = applications.map((application) => ({
    ...application,
    creditNote: notes.find(({ creditNote }) => creditNote.id === application.creditNoteId)?.creditNote ?? null,
    estimate: estimates.find(({ estimate }) => estimate.id === application.estimateId)?.estimate ?? null,
  }));
  const isShort = comesUpShort(payment, applications);
  const apply = () => {
    for (const target of targets) {
      const own = parts.filter(({ invoiceId }) => invoiceId === target.invoice.id);
      applyPayment(em, target, { payment, parts: own, isShort, reason });
    }
    for (const part of parts.filter(({ invoiceId }) => invoiceId === null)) {
      const { amount, creditNote, estimate } = part;
      if (estimate) applyToDeposit(em, locked.moment, { payment, part, estimate });
      else applyCredit(em, locked.moment, { payment, amount, creditNote });
    }
  };
  await recordDepositChanges(em, estimates, () => recordBalanceChanges(em, notes, apply));
  await updateAfterBalanceChange(em, targets);
}

/** Whether all of a payment that no gateway made pays invoices, so that what it leaves of them is a difference. */
function comesUpShort({ balance, charge }: Payment, applications: readonly NamedApplication[]): boolean {
  if (charge || applications.some(({ invoiceId }) => invoiceId === null)) return false;
  return isZero(subtract(balance, add('0', ...applications.map(({ amount }) => amount))));
}

/** The locked invoices, credit notes and estimates of applications. */
export interface Targets {
  targets: LockedInvoiceWithoutLines[];
  notes: LockedCreditNote[];
  estimates: LockedEstimate[];
}

/** Locks the estimates, invoices and credit notes of applications. Leaves out unknown ones. */
export async function lockTargets(
  em: EntityManager,
  locked: LockedCustomer,
  applications: readonly Application[],
): Promise<Targets> {
  const estimates = await lockEstimates(em, locked, estimateIdsOf(applications));
  const targets = await lockInvoicesWithoutLines(em, locked, idsOf(applications));
  const notes = await lockCreditNotes(em, locked, noteIdsOf(applications));
  return { targets, notes, estimates };
}

/** Refuses targets that are unknown or cannot be applied or paid, and amounts beyond their balances, naming the application. */
export function checkTargets(
  locked: LockedCustomer,
  { targets, notes, estimates }: Targets,
  { applications, currency }: { applications: readonly NamedApplication[]; currency: string },
): void {
  const planned = new Map<string, string>();
  const plan = (key: string, amount: string): string => {
    const before = planned.get(key) ?? '0';
    planned.set(key, add(before, amount));
    return before;
  };
  for (const application of applications) {
    const { invoiceId, creditNoteId = null, amount, param } = application;
    const wanted = { amount, currency, param };
    const invoice = targets.find((target) => target.invoice.id === invoiceId)?.invoice;
    const note = notes.find(({ creditNote }) => creditNote.id === creditNoteId)?.creditNote;
    if (invoiceId !== null) {
      const before = plan(`invoice ${invoiceId}`, amount);
      const owed = invoice ? { owed: subtract(invoice.balance, before) } : {};
      checkCollectable(locked, invoice, { ...wanted, id: invoiceId, ...owed });
    }
    if (creditNoteId !== null) {
      const before = plan(`credit note ${creditNoteId}`, amount);
      const left = note ? { left: subtract(note.balance, before) } : {};
      checkApplicable(locked, note, { ...wanted, id: creditNoteId, ...left });
    }
    checkEstimate(locked, estimates, { ...application, currency, plan });
  }
}

/** Refuses a deposit that the estimate does not accept, and a payment from a deposit beyond the rest of that deposit. */
function checkEstimate(
  locked: LockedCustomer,
  estimates: readonly LockedEstimate[],
  wanted: NamedApplication & { currency: string; plan(key: string, amount: string): string },
): void {
  const { estimateId: id = null, invoiceId, type, amount, plan } = wanted;
  if (id === null) return;
  const estimate = estimates.find((one) => one.estimate.id === id)?.estimate;
  const planned = plan(`${type === 'deposit' ? 'deposit of' : 'estimate'} ${id}`, amount);
  if (type === 'deposit') checkDepositLeft(locked, estimate, { ...wanted, id, planned, invoiceId });
  else checkDepositable(locked, estimate, { ...wanted, id, planned });
}

function idsOf(applications: readonly { invoiceId: number | null }[]): number[] {
  return [...new Set(applications.flatMap(({ invoiceId }) => invoiceId ?? []))];
}

function noteIdsOf(applications: readonly { creditNoteId?: number | null }[]): number[] {
  return [...new Set(applications.flatMap(({ creditNoteId }) => creditNoteId ?? []))];
}

function estimateIdsOf(applications: readonly { estimateId?: number | null }[]): number[] {
  return [...new Set(applications.flatMap(({ estimateId }) => estimateId ?? []))];
}

/** The applications of a payment, oldest first. */
export function applicationsOf(em: EntityManager, payment: Payment): Promise<PaymentApplication[]> {
  return em.find(PaymentApplication, { accountId: payment.accountId, payment }, { orderBy: { id: 'asc' } });
}

/** Ids of the invoices that applications pay. */
export function invoicesOf(applications: readonly PaymentApplication[]): number[] {
  return idsOf(applications.map(asRequested));
}

/** A stored application in the form of a requested one. */
export function asRequested(application: PaymentApplication): Application {
  const { type, amount, invoice, creditNote, estimate } = application;
  const pays = { invoiceId: invoice?.id ?? null, estimateId: estimate?.id ?? null };
  return { type, amount, ...pays, creditNoteId: creditNote?.id ?? null };
}

/**
 * Reverses applications: those of a payment (to invoices, to deposits of estimates, to the credit balance) and those of credit notes.
 * Refuses to reverse a deposit that has paid an invoice.
 */
export async function unapplyAll(
  em: EntityManager,
  locked: LockedCustomer,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): Promise<void> {
  const { payment, applications } = undo;
  const asked = applications.map(asRequested);
  const estimates = await lockEstimates(em, locked, estimateIdsOf(asked));
  const targets = await lockInvoices(em, locked, idsOf(asked));
  const notes = await lockCreditNotes(em, locked, noteIdsOf(asked));
  refuseSpent(estimates, applications);
  if (notes.length > 0) locked.customer.hasCredit = true;
  const unapply = () => {
    for (const target of targets) {
      const own = applications.filter(({ invoice }) => invoice?.id === target.invoice.id);
      unapplyPayment(em, target, { payment, applications: own });
    }
    for (const application of applications)
      if (!application.invoice) removeApplication(em, locked.moment, { payment, application });
  };
  await recordDepositChanges(em, estimates, () => recordBalanceChanges(em, notes, unapply));
  await updateAfterBalanceChange(em, targets);
}
