import {
  areInstallments,
  checkInstallments,
  isRunning,
  paidInstallments,
  type WantedInstallment,
} from '../../billing/paymentPlan.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { presentPaymentPlan } from '../../present/payments/paymentPlan.ts';
import { schedule } from '../aggregates/collectionSchedule.ts';
import { hasSource } from '../aggregates/collectionState.ts';
import {
  ensureDueDate,
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  replanInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { updatePastDueSubscription } from '../aggregates/pastDue.ts';
import { activePlanOf, beginPlan, endPlan, moveOn, planOf } from '../aggregates/paymentPlan.ts';
import type { Caller } from '../kernel/caller.ts';
import { recordOfCustomer } from '../kernel/customerEvents.ts';
import { Missing } from '../kernel/missing.ts';

export interface InvoiceKey {
  caller: Caller;
  id: number;
}

/**
 * Gives an invoice a payment plan, or replaces the unpaid installments of the one that is running, if they differ. A new plan waits for a payment source if
 * AutoPay has none to charge. Refuses an invoice of which nothing can be paid, and installments that `checkInstallments` refuses. Throws
 * Missing.
 */
export async function setPaymentPlan(
  em: EntityManager,
  input: InvoiceKey & { installments: readonly WantedInstallment[] },
  systemNow: Date,
): Promise<PaymentPlan> {
  const at = await lockInvoice(em, input, systemNow);
  const { invoice, moment } = at;
  const why = whyUnplannable(invoice);
  if (why !== null) throw new Refusal(`Invoice ${invoice.number ?? invoice.id} ${why}`);
  const latest = planOf(invoice);
  const running = latest && isRunning(latest) ? latest : null;
  if (running && areInstallments(input.installments, running.installments)) return running;
  const kept = running ? paidInstallments(running.installments, invoice.currency) : [];
  const { balance, currency, timeZone: zone } = invoice;
  const asked = { balance, currency, zone, now: moment.now.getTime(), kept: kept.length };
  const amounts = checkInstallments(input.installments, asked);
  const [id = 0, ...ids] = await reserveSeveralIds(em, 'payment_plan', amounts.length + 1);
  const wanted = input.installments.map(({ date }, index) => {
    const amount = amounts[index] ?? '0';
    return { id: ids[index] ?? 0, date, amount, balance: amount };
  });
  const installments = [...kept, ...wanted];
  const before = invoiceEventObject(at);
  const plan = running ? replace(em, at, { running, installments }) : create(em, at, { id, installments });
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await updatePastDueSubscription(em, at);
  await replanInvoice(em, at, {});
  return plan;
}

type Installments = PaymentPlan['installments'];

function replace(
  em: EntityManager,
  at: LockedInvoice,
  { running, installments }: { running: PaymentPlan; installments: Installments },
): PaymentPlan {
  const before = presentPaymentPlan(running);
  Object.assign(running, { installments, updatedAt: at.moment.now });
  moveOn(at);
  recordOfCustomer(em, at, { type: 'payment_plan.updated', row: running, shown: presentPaymentPlan(running), before });
  return running;
}

function create(
  em: EntityManager,
  at: LockedInvoice,
  { id, installments }: { id: number; installments: Installments },
): PaymentPlan {
  const { invoice, customer, moment } = at;
  const waits = invoice.autopay && !hasSource(customer, invoice);
  const plan = em.create(PaymentPlan, {
    accountId: invoice.accountId,
    id,
    customer,
    invoice,
    status: waits ? 'pending_signup' : 'active',
    installments,
    attemptsBefore: invoice.attemptCount,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  Object.assign(invoice, { paymentPlanId: id, plan });
  if (!waits) beginPlan(at, plan);
  recordOfCustomer(em, at, { type: 'payment_plan.created', row: plan, shown: presentPaymentPlan(plan) });
  return plan;
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
  const at = await lockInvoice(em, input, systemNow);
  const { invoice, moment } = at;
  const plan = planOf(invoice);
  if (!plan) throw new Missing('Payment plan of invoice', input.id);
  if (!isRunning(plan)) throw new Refusal(`Payment plan ${plan.id} is ${plan.status} and cannot be canceled`);
  const before = invoiceEventObject(at);
  const wasActive = activePlanOf(invoice) !== null;
  endPlan(em, at);
  if (wasActive) collectAgain(at);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await updatePastDueSubscription(em, at);
  await replanInvoice(em, at, {});
}

/** Collects an invoice by its former terms: AutoPay charges it after the account's minimum delay, else it has a due date. */
function collectAgain(at: LockedInvoice): void {
  const { invoice, moment } = at;
  const delay = setting(moment.caller.account, 'autopay_minimum_delay') * 1000;
  if (invoice.autopay) schedule(invoice, { kind: 'switched_on', firstAt: moment.now.getTime() + delay }, moment.now);
  else ensureDueDate(at);
}
