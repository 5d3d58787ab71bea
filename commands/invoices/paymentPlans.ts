import { awaitsApproval, isRunning, nextInstallment } from '../../billing/collection/paymentPlan.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import {
  areInstallments,
  type Edits,
  editInstallments,
  isUnchanged,
  type WantedInstallment,
} from '../../billing/subscriptions/planEdits.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { presentPaymentPlan } from '../../present/payments/paymentPlan.ts';
import { schedule } from '../aggregates/collectionState.ts';
import {
  ensureDueDate,
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  replanInvoices,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { updatePastDueSubscription } from '../aggregates/pastDue.ts';
import { activatePlan, activePlanOf, endPlan, followEdit, mailPlan, planOf } from '../aggregates/paymentPlan.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { recordOfCustomer } from '../kernel/record.ts';

export interface InvoiceKey {
  caller: Caller;
  id: number;
}

export interface WantedPlan {
  installments: readonly WantedInstallment[];
  /** replace: unpaid installments that are not named are removed. change: all that are not named stay. */
  mode: Edits['mode'];
  /** Whether the customer has to approve it; null: unchanged, of a new plan no. */
  requireApproval: boolean | null;
}

/**
 * Gives an invoice a payment plan, or changes the installments of the one that is running, if they differ. A new plan waits for the
 * approval of its customer if that is asked for, and for a payment source if AutoPay has none to charge. Refuses an invoice of which nothing
 * can be paid, and installments that `editInstallments` refuses. Throws Missing, also if there is no plan to change.
 */
export async function setPaymentPlan(
  em: EntityManager,
  input: InvoiceKey & WantedPlan,
  systemNow: Date,
): Promise<PaymentPlan> {
  const locked = await lockInvoice(em, input, systemNow);
  const { invoice, moment } = locked;
  const running = runningPlan(invoice, input);
  refuseUnplannable(invoice);
  const isApprovalAsked = askedApproval(running, input.requireApproval);
  const isAsked = running !== null && Boolean(running.approvalToken) === isApprovalAsked;
  const present = running?.installments ?? [];
  const isSame = input.mode === 'replace' && areInstallments(input.installments, present);
  if (isAsked && isSame) return running;
  const { balance, currency, timeZone: zone } = invoice;
  const of = { present, balance, currency, zone, now: moment.now.getTime(), mode: input.mode };
  const edited = editInstallments({ ...of, wanted: input.installments });
  if (isAsked && isUnchanged(edited, present)) return running;
  const [id = 0, ...ids] = await reserveSeveralIds(em, 'payment_plan', edited.length + 1);
  const installments = edited.map((one, index) => ({ ...one, id: one.id ?? ids[index] ?? 0 }));
  const before = invoiceEventObject(locked);
  const plan = running
    ? replace(em, locked, { running, installments, isApprovalAsked })
    : create(em, locked, { id, installments, isApprovalAsked });
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
  await updatePastDueSubscription(em, locked);
  await replanInvoices(em, [locked]);
  await mailPlan(em, locked, { plan, isChanged: running !== null });
  return plan;
}

/** The plan that is running; null: a new one is made. Refuses to change one that is over. Throws Missing if there is none to change. */
function runningPlan(invoice: Invoice, { mode }: WantedPlan): PaymentPlan | null {
  const latest = planOf(invoice);
  if (latest && isRunning(latest)) return latest;
  if (mode === 'replace') return null;
  if (!latest) throw new Missing('Payment plan of invoice', invoice.id);
  throw new Refusal('state_conflict', `Payment plan ${latest.id} is ${latest.status} and cannot be changed`);
}

/** Whether the customer is asked for approval. Refuses to ask for that of an active plan. */
function askedApproval(running: PaymentPlan | null, wanted: boolean | null): boolean {
  const isAsked = Boolean(running?.approvalToken);
  if (running?.status === 'active' && wanted && !isAsked)
    throw new Refusal(
      'state_conflict',
      `Payment plan ${running.id} is active: cancel it to ask for approval`,
      'require_approval',
    );
  return running?.status === 'active' ? isAsked : (wanted ?? isAsked);
}

interface NewInstallments {
  installments: PaymentPlan['installments'];
  isApprovalAsked: boolean;
}

function replace(
  em: EntityManager,
  locked: LockedInvoice,
  { running, installments, isApprovalAsked }: NewInstallments & { running: PaymentPlan },
): PaymentPlan {
  const before = presentPaymentPlan(running);
  const former = nextInstallment(running.installments);
  const wasHeld = awaitsApproval(running);
  // Edited installments are what is owed, so a write-off that is taken back makes the last one larger.
  Object.assign(running, { installments, writtenOffParts: null, updatedAt: locked.moment.now });
  // Who approved other installments has not approved these.
  if (running.status === 'pending_signup') {
    const approvalToken = isApprovalAsked ? (running.approvalToken ?? newToken()) : null;
    Object.assign(running, { approvalToken, approval: null });
  }
  if (!activatePlan(locked, running)) {
    followEdit(locked, former);
    if (wasHeld && !awaitsApproval(running)) collectAgain(locked);
  }
  recordOfCustomer(em, locked, {
    type: 'payment_plan.updated',
    row: running,
    shown: presentPaymentPlan(running),
    before,
  });
  return running;
}

function create(
  em: EntityManager,
  locked: LockedInvoice,
  { id, installments, isApprovalAsked }: NewInstallments & { id: number },
): PaymentPlan {
  const { invoice, customer, moment } = locked;
  const plan = em.create(PaymentPlan, {
    accountId: invoice.accountId,
    id,
    customer,
    invoice,
    status: 'pending_signup',
    installments,
    approvalToken: isApprovalAsked ? newToken() : null,
    attemptsBefore: invoice.attemptCount,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  Object.assign(invoice, { paymentPlanId: id, plan });
  activatePlan(locked, plan);
  recordOfCustomer(em, locked, { type: 'payment_plan.created', row: plan, shown: presentPaymentPlan(plan) });
  return plan;
}

/** Refuses an invoice that can have no payment plan. */
export function refuseUnplannable(invoice: Invoice): void {
  const why = whyUnplannable(invoice);
  if (why !== null) throw new Refusal('state_conflict', `Invoice ${invoice.number ?? invoice.id} ${why}`);
}

/** The reason why an invoice can have no payment plan; null: it can. */
function whyUnplannable({ status, paid, closed, issuedAt }: Invoice): string | null {
  if (status === 'voided') return 'is voided: nothing of it is owed';
  if (!issuedAt) return 'is a draft: issue it first';
  if (paid) return 'is paid: nothing of it is owed';
  return closed ? 'is closed: reopen it first' : null;
}

/** Cancels the payment plan of an invoice, which gets its former terms back. Refuses one that is over. Throws Missing. */
export async function cancelPaymentPlan(em: EntityManager, input: InvoiceKey, systemNow: Date): Promise<void> {
  const locked = await lockInvoice(em, input, systemNow);
  const { invoice, moment } = locked;
  const plan = planOf(invoice);
  if (!plan) throw new Missing('Payment plan of invoice', input.id);
  if (!isRunning(plan))
    throw new Refusal('state_conflict', `Payment plan ${plan.id} is ${plan.status} and cannot be canceled`);
  const before = invoiceEventObject(locked);
  const wasHeldOrActive = activePlanOf(invoice) !== null || awaitsApproval(plan);
  endPlan(em, locked);
  if (wasHeldOrActive) collectAgain(locked);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
  await updatePastDueSubscription(em, locked);
  await replanInvoices(em, [locked]);
}

/** Collects an invoice by its own terms: AutoPay charges it after the account's minimum delay, else it has a due date. */
export function collectAgain(locked: LockedInvoice): void {
  const { invoice, moment } = locked;
  const delay = setting(moment.caller.account, 'autopay_minimum_delay') * 1000;
  if (invoice.autopay) schedule(invoice, { kind: 'switched_on', firstAt: moment.now.getTime() + delay }, moment.now);
  else ensureDueDate(locked);
}
