import { isPastDue } from '../../billing/collection/collection.ts';
import {
  addToLast,
  awaitsApproval,
  fillInstallments,
  giveBack,
  type Installment,
  installmentAfter,
  isRunning,
  nextInstallment,
  paymentPlanMoves,
  statusAfterBalance,
  takeFromLast,
} from '../../billing/collection/paymentPlan.ts';
import { compare, isNegative, isZero, type Money, negate } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import { PAYMENT_PLAN_TERMS } from '../../billing/time/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { paymentPlanEmail } from '../../present/emails/paymentPlan.ts';
import { approvalUrl, payUrlOf } from '../../present/kernel/links.ts';
import { presentPaymentPlan } from '../../present/payments/paymentPlan.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { recordOfCustomer } from '../kernel/record.ts';
import { linkToSources } from '../kernel/secrets.ts';
import { queueCopies } from '../mail/emails.ts';
import { recipientsOf } from '../mail/recipients.ts';
import { hasSource, schedule } from './collectionState.ts';

/**
 * Queues the mail that tells the customer of a locked invoice the installments of its plan and what they have to do. Call it after the event
 * of the plan is recorded: there is one mail per event. `isChanged`: the plan had other installments before.
 */
export async function mailPlan(
  em: EntityManager,
  locked: LockedCustomer & { invoice: Invoice },
  { plan, isChanged }: { plan: PaymentPlan; isChanged: boolean },
): Promise<void> {
  const { invoice, customer, moment } = locked;
  const links = { pay: payUrlOf(invoice), approve: approvalUrl(plan), source: linkToSources(customer) };
  const facts = { seller: moment.caller.account, customer, invoice, plan, isChanged, links, now: moment.now };
  queueCopies(em, locked, {
    template: 'payment_plan_email',
    cause: `payment_plan:${plan.id}:${plan.eventCount}`,
    recipients: await recipientsOf(em, customer),
    render: (to) => paymentPlanEmail({ ...facts, to }),
  });
}

/** A locked invoice with its locked customer. */
type Planned = LockedCustomer & { invoice: Invoice };

/** Reads the payment plans of locked invoices. One query, and none if no invoice has any. */
export async function loadPlans(em: EntityManager, invoices: readonly Invoice[]): Promise<void> {
  const ids = invoices.flatMap(({ paymentPlanId }) => paymentPlanId ?? []);
  const [first] = invoices;
  if (!first || ids.length === 0) return;
  const plans = await em.find(PaymentPlan, { accountId: first.accountId, id: { $in: ids } });
  for (const invoice of invoices) invoice.plan = plans.find(({ id }) => id === invoice.paymentPlanId) ?? null;
}

/** The latest payment plan of a locked invoice; null: it has none. */
export function planOf({ plan }: Invoice): PaymentPlan | null {
  return plan instanceof PaymentPlan ? plan : null;
}

/** The payment plan that decides when a locked invoice is collected; null: it has none. */
export function activePlanOf(invoice: Invoice): PaymentPlan | null {
  const plan = planOf(invoice);
  return plan?.status === 'active' ? plan : null;
}

/** Whether terms and due date of a locked invoice are those of its payment plan. */
export function hasPlanTerms(invoice: Invoice): boolean {
  const status = planOf(invoice)?.status;
  return status === 'active' || status === 'finished';
}

/**
 * Makes the installments of an invoice follow its balance, and its collection the installments. Call it after a change of the balance and
 * before the status is updated. `writtenOff`: the part of the change that was written off, which the last installments lose; negative: they have it again.
 */
export function followBalance(em: EntityManager, locked: Planned, writtenOff: Money = '0'): void {
  const { invoice, moment } = locked;
  const plan = planOf(invoice);
  if (!plan || plan.status === 'canceled') return;
  const parts = { installments: plan.installments, writtenOff: plan.writtenOffParts ?? [] };
  const kept = isNegative(writtenOff) ? giveBack(parts, negate(writtenOff)) : takeFromLast(parts, writtenOff);
  const filled = fillInstallments(kept.installments, invoice.balance);
  if (filled.length === plan.installments.length && filled.every((one, index) => isSame(one, plan.installments[index])))
    return;
  const before = presentPaymentPlan(plan);
  const status = statusAfterBalance(plan, isZero(invoice.balance));
  Object.assign(plan, { installments: filled, writtenOffParts: kept.writtenOff, status, updatedAt: moment.now });
  recordOfCustomer(em, locked, { type: 'payment_plan.updated', row: plan, shown: presentPaymentPlan(plan), before });
  moveOn(locked);
}

/** Adds a late fee to the last installment of a plan that is running. */
export function addFeeToPlan(em: EntityManager, locked: Planned, fee: Money): void {
  const plan = planOf(locked.invoice);
  if (!plan || !isRunning(plan)) return;
  const before = presentPaymentPlan(plan);
  Object.assign(plan, { installments: addToLast(plan.installments, fee), updatedAt: locked.moment.now });
  const shown = presentPaymentPlan(plan);
  recordOfCustomer(em, locked, { type: 'payment_plan.updated', row: plan, shown, before, reason: 'late_fee_accrued' });
}

function isSame(one: Installment, other: Installment | undefined): boolean {
  return other !== undefined && compare(one.balance, other.balance) === 0 && compare(one.amount, other.amount) === 0;
}

/** Begins an active plan: its terms replace those of the invoice, which it keeps. */
function beginPlan(locked: Planned, plan: PaymentPlan): void {
  const { invoice } = locked;
  Object.assign(plan, { formerTerms: invoice.paymentTerms ?? null, formerDueAt: invoice.dueAt ?? null });
  invoice.paymentTerms = PAYMENT_PLAN_TERMS;
  moveOn(locked);
}

/** Begins a new schedule if another installment is to be collected now. */
export function moveOn(locked: Planned): void {
  const { invoice, moment } = locked;
  const plan = activePlanOf(invoice);
  const next = plan && nextInstallment(plan.installments);
  if (!plan || !next || next.id === plan.currentId) return;
  const placeOf = (id: number | null) => plan.installments.findIndex((one) => one.id === id);
  const isBack = placeOf(next.id) < placeOf(plan.currentId ?? null);
  const delay = setting(moment.caller.account, 'autopay_minimum_delay') * 1000;
  Object.assign(plan, { currentId: next.id, attemptsBefore: invoice.attemptCount });
  collectByPlan(locked, isBack ? moment.now.getTime() + delay : 0);
}

/**
 * Makes the collection of an invoice follow the edited installments of its active plan. `former`: the next installment before. If it is still
 * the next one, a new schedule begins only at another date; one that was missed goes on with the installment after it.
 */
export function followEdit(locked: Planned, former: Installment | null): void {
  const { invoice } = locked;
  const plan = activePlanOf(invoice);
  const next = plan && nextInstallment(plan.installments);
  if (!plan || !next) return;
  const isMissed = invoice.autopay && Boolean(invoice.dueAt);
  if (next.id !== plan.currentId) moveOn(locked);
  else if (next.date !== former?.date) {
    plan.attemptsBefore = invoice.attemptCount;
    collectByPlan(locked, 0);
  } else if (isMissed) missInstallment(locked, plan);
}

/** Sets due date and next charge of an invoice by the next installment of its active plan. */
export function collectByPlan({ invoice, moment }: Planned, earliest: number): void {
  const next = nextInstallment(activePlanOf(invoice)?.installments ?? []);
  if (!next) return;
  invoice.dueAt = invoice.autopay ? null : new Date(next.date);
  const firstAt = Math.max(next.date, earliest);
  schedule(invoice, invoice.autopay ? { kind: 'switched_on', firstAt } : { kind: 'switched_off' }, moment.now);
  updatePastDue(invoice, moment.now);
}

function updatePastDue(invoice: Invoice, now: Date): void {
  invoice.pastDue = isPastDue({ dueAt: invoice.dueAt?.getTime() ?? null, zone: invoice.timeZone }, now.getTime());
}

/**
 * AutoPay has stopped for an installment, which is missed: the invoice is due at its date. AutoPay goes on with the next installment at its
 * date, with a new schedule.
 */
export function missInstallment({ invoice, moment }: Planned, plan: PaymentPlan): void {
  const missed = nextInstallment(plan.installments);
  const now = moment.now.getTime();
  if (!missed) return;
  invoice.dueAt = new Date(missed.date);
  const next = installmentAfter(plan.installments, now);
  if (!invoice.autopay || !next) return;
  plan.attemptsBefore = invoice.attemptCount;
  schedule(invoice, { kind: 'switched_on', firstAt: next.date }, moment.now);
}

/** Whether AutoPay has just gone on to the next installment, because it had stopped for an earlier one. */
export function hasMissedInstallment(invoice: Invoice): boolean {
  return activePlanOf(invoice)?.attemptsBefore === invoice.attemptCount && invoice.attemptCount > 0;
}

/** Whether nothing prevents a plan of a locked invoice from being active: it needs no approval, and AutoPay has a source to charge. */
function isSignedUp({ invoice, customer }: Planned, plan: PaymentPlan): boolean {
  return !awaitsApproval(plan) && (!invoice.autopay || hasSource(customer, invoice));
}

/** Makes a waiting plan active if nothing prevents it. Returns whether it does. The caller records the event. */
export function activatePlan(locked: Planned, plan: PaymentPlan): boolean {
  if (plan.status !== 'pending_signup' || !isSignedUp(locked, plan)) return false;
  plan.status = 'active';
  beginPlan(locked, plan);
  return true;
}

/** Makes a plan active that waited for a payment source, and mails one that needed no approval. Returns whether there was one. */
export async function signUpPlan(em: EntityManager, locked: Planned): Promise<boolean> {
  const plan = planOf(locked.invoice);
  if (!plan) return false;
  const before = presentPaymentPlan(plan);
  if (!activatePlan(locked, plan)) return false;
  plan.updatedAt = locked.moment.now;
  recordOfCustomer(em, locked, { type: 'payment_plan.updated', row: plan, shown: presentPaymentPlan(plan), before });
  if (!plan.approval) await mailPlan(em, locked, { plan, isChanged: false });
  return true;
}

/** Cancels a plan that is running. An active one gives the invoice its former terms back. */
export function endPlan(em: EntityManager, locked: Planned): void {
  const { invoice, moment } = locked;
  const plan = planOf(invoice);
  const status = plan && paymentPlanMoves[plan.status].canceled;
  if (!plan || !status) return;
  const before = presentPaymentPlan(plan);
  if (plan.status === 'active') {
    invoice.paymentTerms = plan.formerTerms ?? null;
    invoice.dueAt = plan.formerDueAt ?? null;
    updatePastDue(invoice, moment.now);
  }
  Object.assign(plan, { status, updatedAt: moment.now });
  recordOfCustomer(em, locked, { type: 'payment_plan.deleted', row: plan, shown: presentPaymentPlan(plan), before });
}

/** Gives a new address to the page on which a customer approves a plan, if there is one, and records its event. */
export function renewApprovalAddress(em: EntityManager, locked: LockedCustomer, plan: PaymentPlan): void {
  if (plan.approvalToken === null) return;
  const before = presentPaymentPlan(plan);
  Object.assign(plan, { approvalToken: newToken(), updatedAt: locked.moment.now });
  recordOfCustomer(em, locked, { type: 'payment_plan.updated', row: plan, shown: presentPaymentPlan(plan), before });
}
