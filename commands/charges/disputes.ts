import type { TaskOutcome } from '../../billing/collection/taskOutcome.ts';
import {
  amountText,
  compare,
  isPositive,
  isZero,
  type Money,
  roundMoney,
  subtract,
  sum,
} from '../../billing/money/money.ts';
import { type BookedDispute, bookedDispute, isDisputed } from '../../billing/payments/dispute.ts';
import { setting } from '../../billing/settings.ts';
import { localDay } from '../../billing/time/calendar.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Dispute } from '../../db/schema/dispute.ts';
import { disputeEmail } from '../../present/emails/teamMails.ts';
import { presentCharge } from '../../present/payments/charge.ts';
import { switchOffAutopayOf } from '../customers/autopayOff.ts';
import { differs } from '../kernel/changes.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger } from '../kernel/posting.ts';
import { record } from '../kernel/record.ts';
import { queueTeamMail, workplaceOf } from '../mail/team.ts';
import { applicationsOf, invoicesOf } from '../payments/applications.ts';
import { returnLoss, takeLoss } from '../payments/losses.ts';
import { postMoney } from '../payments/moneyPosting.ts';
import { withOwners } from '../payments/takingBack.ts';
import type { GatewayDispute } from '../ports/ports.ts';
import { completeTasksOf } from '../tasks/completing.ts';
import { moveTasksOf, writeOwnersTask } from '../tasks/tasks.ts';
import { withdrawLost } from './pageSales.ts';
import { type PaidCharge, recordFee } from './rows.ts';

/** A dispute and how the gateway shows it now. */
interface Told extends PaidCharge {
  dispute: Dispute;
  shown: BookedDispute;
}

/**
 * Records disputes of a charge as the gateway shows them now: books, collection, tasks and events. Idempotent: what is recorded already is
 * not recorded again, in whatever order events arrive. Returns descriptions of the changes.
 */
export async function recordDisputes(
  em: EntityManager,
  locked: LockedCustomer,
  { disputes: told, ...paid }: PaidCharge & { disputes: readonly GatewayDispute[] },
): Promise<string[]> {
  const { charge } = paid;
  const { accountId, currency } = charge;
  const known = await em.find(Dispute, { accountId, charge: [accountId, charge.id] as const });
  const did: string[] = [];
  for (const one of told) {
    const shown = bookedDispute(one, currency);
    if (!isPositive(shown.amount)) continue; // the bank holds no money
    const found = known.find(({ gatewayId }) => gatewayId === one.reference);
    const dispute = found ?? (await openDispute(em, locked, { ...paid, told: one, amount: shown.amount }));
    if (!found) known.push(dispute);
    const was = found?.status ?? null;
    const before = { name: evidenceTask(locked, dispute), dueAt: dispute.evidenceDueAt ?? null };
    dispute.evidenceDueAt = one.evidenceDueAt;
    await bringUpToDate(em, locked, { ...paid, dispute, shown });
    await moveEvidence(em, locked, { dispute, before });
    recordFee(em, locked, { ...paid, before: dispute.fee, told: one.fee });
    dispute.fee = roundMoney(one.fee ?? dispute.fee, currency);
    if (dispute.status !== was) did.push(`dispute of ${amountText(dispute.amount, currency)} is ${dispute.status}`);
  }
  charge.disputed = known.some(({ status }) => isDisputed(status));
  return did;
}

/** Writes a new dispute as open: the bank holds its amount. */
async function openDispute(
  em: EntityManager,
  locked: LockedCustomer,
  { charge, payment, told, amount }: PaidCharge & { told: GatewayDispute; amount: Money },
): Promise<Dispute> {
  const { accountId, currency, gateway } = charge;
  const { now } = locked.moment;
  const { dispute: id } = await reserveIds(em, 'dispute');
  const dispute = em.create(Dispute, {
    accountId,
    id,
    charge,
    gateway,
    gatewayId: told.reference,
    currency,
    amount,
    status: 'open',
    reason: told.reason.slice(0, 64),
    evidenceDueAt: told.evidenceDueAt,
    amountLost: '0',
    fromPayment: '0',
    expense: '0',
    fromFee: '0',
    fee: '0',
    createdAt: now,
    updatedAt: now,
  });
  postMoney(em, { payment, moment: locked.moment, reason: 'dispute' }, [
    { debit: ledger.disputes, credit: ledger.clearing(gateway), amount },
  ]);
  await askForEvidence(em, locked, { charge, payment, dispute });
  alertTeam(em, locked, dispute);
  return dispute;
}

/** Mails a new dispute to the team of the account, unless it does not want that. */
function alertTeam(em: EntityManager, { customer, moment }: LockedCustomer, dispute: Dispute): void {
  const seller = moment.caller.account;
  if (!setting(seller, 'alert_disputes')) return;
  const rendered = disputeEmail({
    seller,
    dispute,
    customerNumber: customer.number,
    workplace: workplaceOf(seller),
  });
  queueTeamMail(em, moment, { template: 'dispute_email', cause: `dispute:${dispute.id}`, rendered });
}

/** Stops the collection of the invoices of a charge whose dispute is open, and creates a task for its evidence. */
async function askForEvidence(
  em: EntityManager,
  locked: LockedCustomer,
  { charge, payment, dispute }: PaidCharge & { dispute: Dispute },
): Promise<void> {
  const { id: disputeId, evidenceDueAt: dueAt = null } = dispute;
  charge.disputed = true;
  charge.updatedAt = locked.moment.now;
  const subject = { type: 'charge', id: charge.id, row: charge };
  record(em, locked.moment, { type: 'charge.disputed', subject, object: presentCharge(charge) });
  await switchOffAutopayOf(em, locked, invoicesOf(await applicationsOf(em, payment)));
  await writeOwnersTask(em, locked, { name: evidenceTask(locked, dispute), action: 'review', dueAt, disputeId });
}

/** Name of the task for evidence: what happened, and until when evidence is due, as a day of the account. */
function evidenceTask({ moment }: LockedCustomer, dispute: Dispute): string {
  const { gatewayId, charge, currency, reason, evidenceDueAt } = dispute;
  const by = evidenceDueAt ? ` by ${localDay(evidenceDueAt.getTime(), moment.caller.account.timeZone)}` : '';
  return `Dispute ${gatewayId} of ${amountText(dispute.amount, currency)} (${reason}): send evidence about charge ${charge.id}${by}`;
}

/** Changes name and due date of the open task of a dispute, if its amount or the time for evidence has changed. */
async function moveEvidence(
  em: EntityManager,
  locked: LockedCustomer,
  { dispute, before }: { dispute: Dispute; before: { name: string; dueAt: Date | null } },
): Promise<void> {
  const { id: disputeId, evidenceDueAt: dueAt = null } = dispute;
  const now = { name: evidenceTask(locked, dispute), dueAt };
  if (differs(before, now)) await moveTasksOf(em, locked, { disputeId, before: before.name, now });
}

/** Takes a dispute from its recorded status to the one that the gateway shows. */
async function bringUpToDate(em: EntityManager, locked: LockedCustomer, what: Told): Promise<void> {
  const { dispute, shown, charge, payment } = what;
  const { status, amount, lost } = shown;
  const isSame = dispute.status === status && compare(dispute.amount, amount) === 0;
  if (isSame && compare(dispute.amountLost, lost) === 0) return;
  const { status: was } = dispute;
  const before = payment.balance;
  if (was !== 'open') await reopenDispute(em, locked, what);
  changeAmount(em, locked, what);
  if (status !== 'open') await closeDispute(em, locked, { ...what, outcome: `dispute_${status}` });
  else if (was !== 'open') await askForEvidence(em, locked, what);
  await taskForMoneyBack(em, locked, { ...what, before });
  dispute.updatedAt = locked.moment.now;
  charge.updatedAt = locked.moment.now;
}

/** Reverses the end of a dispute: the bank holds its amount again. */
async function reopenDispute(
  em: EntityManager,
  locked: LockedCustomer,
  { dispute, charge, payment }: Told,
): Promise<void> {
  const { fromPayment, fromFee, expense } = dispute;
  const given = subtract(dispute.amount, dispute.amountLost);
  if (isPositive(dispute.amountLost))
    await returnLoss(em, locked, {
      payment,
      charge,
      from: ledger.disputes,
      reason: 'dispute',
      fromPayment,
      fromFee,
      expense,
    });
  const { disputes, clearing } = ledger;
  postMoney(em, { payment, moment: locked.moment, reason: 'dispute' }, [
    { debit: disputes, credit: clearing(charge.gateway), amount: given },
  ]);
  charge.amountLost = subtract(charge.amountLost, dispute.amountLost);
  Object.assign(dispute, { status: 'open', amountLost: '0', fromPayment: '0', fromFee: '0', expense: '0' });
}

/** Creates a task if lost money has come back to a payment and is not applied. `before`: its balance before. */
async function taskForMoneyBack(
  em: EntityManager,
  locked: LockedCustomer,
  { dispute, payment, before }: PaidCharge & { dispute: Dispute; before: string },
): Promise<void> {
  const { currency } = payment;
  const again = roundMoney(subtract(payment.balance, before), currency);
  if (!isPositive(again)) return;
  const name = `Dispute ${dispute.gatewayId} is ${dispute.status}: payment ${payment.id} has ${again} ${currency} again that are not applied`;
  await writeOwnersTask(em, locked, { name, action: 'review' });
}

/** Changes the amount of an open dispute. */
function changeAmount(
  em: EntityManager,
  locked: LockedCustomer,
  { dispute, charge, payment, shown: { amount } }: Told,
): void {
  const { disputes, clearing } = ledger;
  const more = subtract(amount, dispute.amount);
  const [debit, credit] = isPositive(more)
    ? [disputes, clearing(charge.gateway)]
    : [clearing(charge.gateway), disputes];
  const changed = isPositive(more) ? more : subtract(dispute.amount, amount);
  postMoney(em, { payment, moment: locked.moment, reason: 'dispute' }, [
    { debit, credit, amount: roundMoney(changed, charge.currency) },
  ]);
  dispute.amount = amount;
}

/**
 * Ends an open dispute. The bank gives back what it does not keep. What it keeps leaves the payment, and the invoices that it paid are owed
 * again without AutoPay, until a person decides. Completes the task for evidence.
 */
async function closeDispute(
  em: EntityManager,
  locked: LockedCustomer,
  what: Told & { outcome: TaskOutcome },
): Promise<void> {
  const { dispute, charge, payment, shown, outcome } = what;
  const { status, lost } = shown;
  const { currency, gateway } = charge;
  const given = roundMoney(subtract(dispute.amount, lost), currency);
  postMoney(em, { payment, moment: locked.moment, reason: 'dispute' }, [
    { debit: ledger.clearing(gateway), credit: ledger.disputes, amount: given },
  ]);
  if (isZero(lost)) dispute.status = status;
  await completeTasksOf(em, locked, { subject: { disputeId: dispute.id }, outcome });
  if (isZero(lost)) return;
  const paid = invoicesOf(await applicationsOf(em, payment));
  const loss = { payment, charge, amount: lost, from: ledger.disputes, reason: 'dispute' as const };
  const { invoices, ...parts } = await takeLoss(em, locked, loss);
  Object.assign(dispute, { status, amountLost: lost, ...parts });
  charge.amountLost = sum([charge.amountLost, lost], currency);
  const ids = [...new Set([...paid, ...invoices])];
  await switchOffAutopayOf(em, await withOwners(em, locked, ids), ids);
  await withdrawLost(em, locked, invoices);
  const owed = invoices.length > 0 ? `: ${invoices.length} of its invoices are owed again, without AutoPay` : '';
  const name = `Dispute ${dispute.gatewayId} is ${status}: ${lost} ${currency} of charge ${charge.id} are gone${owed}`;
  await writeOwnersTask(em, locked, { name, action: 'review' });
}
