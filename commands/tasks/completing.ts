import { type TaskOutcome, taskOutcomes } from '../../billing/collection/taskOutcome.ts';
import type { EntityManager } from '../../db/orm.ts';
import { finishedTasks } from '../../db/queries/chasing/tasks.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { Task } from '../../db/schema/task.ts';
import { presentTask } from '../../present/tasks/task.ts';
import { chaseInvoices } from '../aggregates/chasing.ts';
import { isNotCollected } from '../aggregates/collectionState.ts';
import { invoiceEventObject, lockInvoices, recordInvoice } from '../aggregates/invoice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { recordOfCustomer } from '../kernel/record.ts';

/** The subject of tasks that Perennial makes. */
type Subject =
  | { heldInvoiceId: number }
  | { disputeId: number }
  | { promisedInvoiceId: number }
  | { disputedInvoiceId: number }
  | { suppressionId: number; customer: Customer }
  | { unmailedInvoiceId: { $ne: null }; customer: Customer };

/**
 * Completes the open tasks about something that is over: a held bill that was issued, voided or deleted; a closed dispute; a promise that
 * matters no more; a customer's address that was corrected or allowed again, or was missing and is there now.
 */
export async function completeTasksOf(
  em: EntityManager,
  locked: LockedCustomer,
  { subject, outcome }: { subject: Subject; outcome: TaskOutcome },
): Promise<void> {
  const { accountId } = locked.customer;
  for (const task of await em.find(Task, { accountId, complete: false, ...subject })) {
    complete(em, locked, { task, outcome });
  }
}

/** Completes an open task by the system. Keeps the outcome that a member has written. */
function complete(
  em: EntityManager,
  locked: LockedCustomer,
  { task, outcome, reason }: { task: Task; outcome: TaskOutcome; reason?: EventReason },
): void {
  const { now } = locked.moment;
  const before = presentTask(task);
  task.outcome ??= taskOutcomes[outcome];
  Object.assign(task, { complete: true, completedAt: now, updatedAt: now });
  recordOfCustomer(em, locked, { type: 'task.completed', row: task, shown: presentTask(task), before, reason });
}

/**
 * Completes the open tasks that cadences made, after invoices were paid, closed or voided, if no invoice is open any more that the task
 * asks for. Makes no query for accounts without cadences.
 */
export async function completeChasingTasks(
  em: EntityManager,
  targets: readonly (LockedCustomer & { invoice: Invoice })[],
): Promise<void> {
  const over = targets.filter(({ hasCadences, invoice }) => hasCadences && invoice.issuedAt && isNotCollected(invoice));
  for (const [customerId, ofCustomer] of Map.groupBy(over, ({ customer }) => customer.id)) {
    const [locked] = ofCustomer;
    if (!locked) continue;
    const { accountId } = locked.customer;
    const ended = ofCustomer.map(({ invoice }) => invoice.id);
    const ids = await finishedTasks(em, { accountId, customerId, ended });
    if (ids.length === 0) continue;
    const reason = ofCustomer.some(({ invoice }) => invoice.paid) ? 'paid_up' : 'nothing_owed';
    for (const task of await em.find(Task, { accountId, id: { $in: ids } })) {
      complete(em, locked, { task, outcome: reason, reason });
    }
  }
}

/** Completes the open tasks about the broken promise and the disputed lines of an invoice that is paid, closed or voided now. */
export async function completeTasksOfInvoice(
  em: EntityManager,
  locked: LockedCustomer & { invoice: Invoice },
): Promise<void> {
  const { invoice } = locked;
  if (!isNotCollected(invoice)) return;
  const { id, promise, disputedLines } = invoice;
  if (promise)
    await completeTasksOf(em, locked, { subject: { promisedInvoiceId: id }, outcome: endOfPromise(invoice) });
  if (disputedLines) await completeTasksOf(em, locked, { subject: { disputedInvoiceId: id }, outcome: 'nothing_owed' });
}

/**
 * Ends the hold of an invoice once nothing is left to answer of the lines that its customer disputes: it is asked for again. Call it after a person has
 * completed or deleted the last task about them.
 */
export async function endDisputeHold(em: EntityManager, locked: LockedCustomer, invoiceId: number): Promise<void> {
  await em.write();
  const { accountId } = locked.customer;
  if ((await em.count(Task, { accountId, complete: false, disputedInvoiceId: invoiceId })) > 0) return;
  const [target] = await lockInvoices(em, locked, [invoiceId]);
  const { now } = locked.moment;
  if (!target?.invoice.disputeHoldUntil || target.invoice.disputeHoldUntil <= now) return;
  const before = invoiceEventObject(target);
  Object.assign(target.invoice, { disputeHoldUntil: now, updatedAt: now });
  recordInvoice(em, target, { type: 'invoice.updated', before });
  await chaseInvoices(em, [target]);
}

function endOfPromise({ paid, promise, voidedAt }: Invoice): TaskOutcome {
  if (paid) return promise === 'kept' ? 'promise_kept' : 'promise_paid';
  return voidedAt ? 'promise_voided' : 'promise_closed';
}
