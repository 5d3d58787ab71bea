import { amountText, sum } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Planned, plannedApplications } from '../../db/queries/charges/attempts.ts';
import { isOfInvoice } from '../../db/schema/attempt.ts';
import type { AttemptCredit } from '../../db/schema/attemptParts.ts';
import type { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { receiptEmail } from '../../present/emails/receipt.ts';
import { presentCharge } from '../../present/payments/charge.ts';
import { type LockedEstimate, lockEstimates } from '../aggregates/estimate.ts';
import {
  forgetFailure,
  invoiceEventObject,
  type LockedInvoice,
  lockInvoices,
  recordInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { ledger, post } from '../kernel/posting.ts';
import { record } from '../kernel/record.ts';
import { tellClock } from '../kernel/stepOutcome.ts';
import { queueCopies } from '../mail/emails.ts';
import { receiptRecipients } from '../mail/recipients.ts';
import { paymentEventObject, recordPayment, recordReceived } from '../payments/paymentEvents.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import { addsCredit } from '../payments/withholding.ts';
import { writeTask } from '../tasks/tasks.ts';
import type { Written } from './answers.ts';
import { applyReceivedPayment, type Target, type UnappliedMoney } from './credits.ts';
import { invoicesAfterAbandoned, invoicesAfterFailure } from './declines.ts';
import type { LockedAttempt, Outcome } from './openAttempt.ts';
import { followSales } from './pageSales.ts';
import { reserveChargeIds, writeCharge, writePayment } from './rows.ts';
import { endGoneSource, followSource, writeSource } from './sourceOutcomes.ts';

/** Maximum number of characters in the name of a task. */
const TASK_NAME = 255;

/** Records the outcome of a charge, payment, applications, ledger entries, events and mail. */
export async function recordChargeOutcome(
  em: EntityManager,
  locked: LockedAttempt,
  outcome: Outcome,
): Promise<Written> {
  const planned = await plannedApplications(em, locked.attempt);
  const { credits } = planned;
  const estimates = await lockEstimates(
    em,
    locked,
    credits.flatMap(({ estimate }) => estimate?.id ?? []),
  );
  const all = await loadTargets(em, locked, planned);
  const targets = all.filter(({ isCharged }) => isCharged);
  const charged = targets.map((target) => target.locked);
  const soldIds = new Set(planned.invoices.filter(({ isSold }) => isSold).map(({ invoiceId }) => invoiceId));
  const sold = charged.filter(({ invoice }) => soldIds.has(invoice.id));
  for (const target of targets)
    tellClock(em, locked, { type: 'invoice', id: target.locked.invoice.id, did: inWords(target, outcome) });
  if (outcome.status === 'abandoned') {
    if (locked.isWritten) await voidPending(em, locked, await writeCharge(em, locked, { outcome, ids: null }));
    await invoicesAfterAbandoned(em, charged, locked.attempt);
    await followSales(em, sold, 'abandoned');
    return {};
  }
  await followCharged(em, locked, outcome);
  const ids = await reserveChargeIds(em, locked);
  const charge = await writeCharge(em, locked, { outcome, ids });
  if (outcome.status === 'failed') {
    await failed(em, locked, { charge, charged });
    await followSales(em, sold, 'failed');
    return { charge };
  }
  if (outcome.source && locked.attempt.vault && !locked.attempt.source)
    locked.attempt.source = await writeSource(em, locked, outcome.source);
  const payment = await writePayment(em, locked, { charge, ids });
  const written = { charge, payment, invoices: charged };
  if (outcome.status === 'succeeded') {
    await succeeded(em, locked, { charge, payment, targets: all, credits, estimates });
    await followSales(em, sold, 'taken');
    return written;
  }
  pending(em, locked, targets);
  await followSales(em, sold, 'taken');
  recordPayment(em, locked, { payment, charge, type: typeOfEvent(locked) });
  return written;
}

/** Updates the stored source that was charged by the gateway's answer: the data of a card, or that it is gone. */
async function followCharged(em: EntityManager, locked: LockedAttempt, outcome: Outcome): Promise<void> {
  const { source } = locked.attempt;
  if (!source || outcome.status === 'abandoned') return;
  if (outcome.source) await followSource(em, locked, { source, told: outcome.source });
  const isGone = outcome.status === 'failed' && outcome.code === 'source_deleted';
  if (isGone) await endGoneSource(em, locked, source);
}

/** A pending charge has its payment already. */
function typeOfEvent({ isWritten }: LockedAttempt): 'payment.created' | 'payment.updated' {
  return isWritten ? 'payment.updated' : 'payment.created';
}

/** Description of the outcome for operators, such as "charge of 37.50 usd failed: insufficient_funds". */
function inWords({ locked, amount }: Target, outcome: Outcome): string {
  const reason = outcome.status === 'failed' ? `: ${outcome.code}` : '';
  const { currency } = locked.invoice;
  return `charge of ${amountText(amount, currency)} ${outcome.status}${reason}`;
}

async function succeeded(
  em: EntityManager,
  locked: LockedAttempt,
  paid: { charge: Charge; payment: Payment; targets: Target[]; credits: AttemptCredit[]; estimates: LockedEstimate[] },
): Promise<void> {
  const { charge, payment, targets } = paid;
  const { accountId, currency } = payment;
  const { now } = locked.moment;
  const about = { customerId: locked.customer.id, invoiceId: null, paymentId: payment.id };
  post(em, { accountId, currency, reason: 'receipt', ...about, documentAt: payment.date, postedAt: now }, [
    { debit: ledger.clearing(charge.gateway), credit: ledger.unapplied, amount: payment.amount },
  ]);
  payment.balance = payment.amount;
  const received = await applyReceivedPayment(em, locked, { ...paid, fee: charge.convenienceFee });
  if (received.unapplied.length > 0) await createReviewTask(em, locked, { payment, unapplied: received.unapplied });
  if (addsCredit(paid.credits)) await payOpenInvoices(em, locked, { currency });
  await recordReceived(em, locked, [{ payment, charge, type: typeOfEvent(locked) }]);
  if (locked.isRecovered) return;
  const applied = targets.map((target, index) => ({
    number: target.locked.invoice.number ?? '',
    amount: received.paid[index] ?? '0',
  }));
  const { deposited } = received;
  const facts = {
    seller: locked.moment.caller.account,
    customer: locked.customer,
    payment,
    charge,
    applied,
    deposited,
  };
  queueCopies(em, locked, {
    template: 'payment_receipt_email',
    cause: `payment:${payment.id}`,
    // The PDF is rendered when the mail is sent.
    document: { type: 'payment', id: payment.id },
    recipients: await receiptRecipients(em, locked.customer, {
      name: locked.attempt.receiptName,
      email: charge.receiptEmail,
    }),
    render: (to) => receiptEmail({ ...facts, to }),
  });
}

/** Creates a task to review money that stays unapplied, because its documents no longer accept it. */
async function createReviewTask(
  em: EntityManager,
  locked: LockedAttempt,
  { payment, unapplied }: { payment: Payment; unapplied: readonly UnappliedMoney[] },
): Promise<void> {
  const { id, currency } = payment;
  const all = unapplied.map(({ amount }) => amount);
  const money = `Unapplied: ${amountText(sum(all, currency), currency)} of payment ${id}, no longer taken by `;
  const documents = unapplied.map((one) => one.document);
  await writeTask(em, locked, { name: money + joinWithin(documents, TASK_NAME - money.length), action: 'review' });
}

/** Lists as many names as `room` characters allow, then the number of the others. */
function joinWithin(names: readonly string[], room: number): string {
  for (let count = names.length; count > 0; count--) {
    const rest = names.length - count;
    const list = names.slice(0, count).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
    if (list.length <= room) return list;
  }
  return 'its documents';
}

function pending(em: EntityManager, locked: LockedAttempt, targets: Target[]): void {
  for (const target of targets) {
    const before = invoiceEventObject(target.locked);
    target.locked.invoice.pending = true;
    if (isOfInvoice(locked.attempt.origin)) forgetFailure(target.locked.invoice);
    updateInvoiceStatus(target.locked.invoice, locked.moment.now);
    recordInvoice(em, target.locked, { type: 'invoice.updated', before, reason: 'payment_pending' });
  }
}

async function failed(
  em: EntityManager,
  locked: LockedAttempt,
  what: { charge: Charge; charged: LockedInvoice[] },
): Promise<void> {
  const { charge, charged } = what;
  if (!locked.isWritten) recordChargeFailed(em, locked, charge);
  else await voidPending(em, locked, charge);
  await invoicesAfterFailure(em, charged, { attempt: locked.attempt, source: charge.source ?? null });
}

/** Voids the payment of a charge that was pending, and then failed or was abandoned. */
async function voidPending(em: EntityManager, locked: LockedAttempt, charge: Charge): Promise<void> {
  const payment = await em.findOneOrFail(Payment, { accountId: charge.accountId, charge });
  recordChargeFailed(em, locked, charge);
  const before = paymentEventObject(locked, payment, charge);
  Object.assign(payment, { voided: true, balance: '0', updatedAt: locked.moment.now });
  recordPayment(em, locked, { payment, charge, type: 'payment.deleted', before });
}

function recordChargeFailed(em: EntityManager, locked: LockedAttempt, charge: Charge): void {
  const subject = { type: 'charge', id: charge.id, row: charge };
  record(em, locked.moment, { type: 'charge.failed', subject, object: presentCharge(charge) });
}

/** Locks the invoices of an attempt. Returns them with the planned amounts. */
async function loadTargets(
  em: EntityManager,
  locked: LockedAttempt,
  { invoices: paid, credits }: Planned,
): Promise<Target[]> {
  const credited = credits.flatMap(({ invoice }) => invoice?.id ?? []);
  const isAutomatic = isOfInvoice(locked.attempt.origin);
  const ids = new Set([...paid.map(({ invoiceId }) => invoiceId), ...credited]);
  const invoices = await lockInvoices(em, locked, [...ids]);
  return invoices.map((target) => {
    const row = paid.find(({ invoiceId }) => invoiceId === target.invoice.id);
    const own = credits.filter(({ invoice }) => invoice?.id === target.invoice.id);
    return { locked: target, amount: row?.amount ?? '0', isCharged: row !== undefined, isAutomatic, credits: own };
  });
}
