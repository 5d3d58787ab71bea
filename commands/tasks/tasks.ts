import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { cadenceWithStep } from '../../db/queries/catalog/templates.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { Task, TaskInvoice } from '../../db/schema/task.ts';
import { unsaid } from '../../present/kernel/said.ts';
import { presentTask } from '../../present/tasks/task.ts';
import { checkMember } from '../accounts/members.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import {
  type LockedCustomer,
  lockNamedCustomer,
  lockOwner,
  refuseAnonymous,
  retryOnOwnerChange,
} from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { closeProblemOf } from '../kernel/problems.ts';
import { recordOfCustomer } from '../kernel/record.ts';
import { endDisputeHold } from './completing.ts';

/** Completion of a task in a request. Absent: unchanged, or not complete for a new task. */
export interface Completion {
  complete?: boolean | undefined;
  completedAt?: Date | null | undefined;
  completedByUserId?: number | null | undefined;
}

export interface NewTask {
  name: string;
  action: Task['action'];
  userId?: number | null;
  dueAt?: Date | null;
  /** The words about what happened. */
  outcome?: string | null;
  completion?: Completion;
  /** The follow-up to create with it; null: none. */
  next?: FollowUp | null;
  /** Id of the task that it follows up. */
  followsTaskId?: number;
  /** Id of the step of a cadence that makes it. */
  chaseStepId?: number | undefined;
  /** Ids of the invoices that this step asks for. */
  asksFor?: ReadonlySet<number>;
  /** Id of the held bill to review. */
  heldInvoiceId?: number;
  /** Id of the dispute for which evidence is due. */
  disputeId?: number;
  /** Id of the invoice whose promised payment did not come. */
  promisedInvoiceId?: number;
  /** Id of the invoice of which the customer disputes a line. */
  disputedInvoiceId?: number;
  /** Id of the suppressed address to correct. */
  suppressionId?: number;
  /** Id of the invoice that could not be mailed when it was issued. */
  unmailedInvoiceId?: number;
}

export interface TaskKey {
  caller: Caller;
  id: number;
}

export interface TaskChange extends TaskKey {
  fields: {
    name?: string | undefined;
    action?: Task['action'] | undefined;
    userId?: number | null | undefined;
    dueAt?: Date | null | undefined;
    outcome?: string | null | undefined;
  };
  completion: Completion;
  /** The follow-up to create; null: none. */
  next: FollowUp | null;
}

export interface FollowUp {
  name: string;
  action: Task['action'];
  userId: number | null;
  dueAt: Date | null;
}

/** Creates a task by request, and its follow-up. Refuses an unknown customer and users who are not members. */
export async function createTask(
  em: EntityManager,
  input: NewTask & { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<Task> {
  const { caller, customerId, completion = {} } = input;
  await checkUsers(em, caller, { userId: input.userId, ...completion });
  await checkChaseStep(em, caller.account.id, input.chaseStepId);
  return writeTask(em, await lockNamedCustomer(em, { caller, customerId }, systemNow), input);
}

/** Creates a task that collection makes: the owner of the customer, or anybody if it has none, does it, by default now. */
export function writeOwnersTask(em: EntityManager, locked: LockedCustomer, input: NewTask): Promise<Task> {
  const { customer, moment } = locked;
  const name = cutName(input.name);
  const userId = input.userId ?? customer.ownerId ?? null;
  return writeTask(em, locked, { ...input, name, userId, dueAt: input.dueAt ?? moment.now });
}

/** Creates a task about a locked customer. */
export async function writeTask(em: EntityManager, locked: LockedCustomer, input: NewTask): Promise<Task> {
  const { accountId } = locked.customer;
  const { task: id } = await reserveIds(em, 'task');
  const { name, action, userId = null, dueAt = null, heldInvoiceId = null } = input;
  const { outcome = null, followsTaskId = null } = input;
  const { chaseStepId = null, disputeId = null, promisedInvoiceId = null, suppressionId = null } = input;
  const { unmailedInvoiceId = null, disputedInvoiceId = null } = input;
  const completed = completionOf({ complete: false }, input.completion ?? {}, locked.moment);
  const task = em.create(Task, {
    accountId,
    id,
    customer: locked.customer,
    name,
    action,
    userId,
    dueAt,
    outcome,
    followsTaskId,
    chaseStepId,
    heldInvoiceId,
    disputeId,
    promisedInvoiceId,
    suppressionId,
    unmailedInvoiceId,
    disputedInvoiceId,
    ...completed,
    createdAt: locked.moment.now,
    updatedAt: locked.moment.now,
  });
  for (const id of input.asksFor ?? []) {
    const invoice = em.getReference(Invoice, [accountId, id]);
    em.append(TaskInvoice, { accountId, task, invoice });
  }
  if (input.next) task.nextTaskId = (await followUp(em, locked, { task, next: input.next })).id;
  recordOfCustomer(em, locked, { type: 'task.created', row: task, shown: presentTask(task) });
  if (task.complete) recordOfCustomer(em, locked, { type: 'task.completed', row: task, shown: presentTask(task) });
  return task;
}

/**
 * Changes, completes or reopens a task, if anything differs, and creates its follow-up. An answered dispute of lines holds its invoice no longer.
 * Refuses users who are not members, and a second follow-up. Throws Missing.
 */
export async function updateTask(em: EntityManager, change: TaskChange, systemNow: Date): Promise<Task> {
  const { locked, task } = await findTask(em, change, systemNow);
  const { completion, caller, next } = change;
  const fields = { ...change.fields, outcome: unsaid(change.fields.outcome, task.outcome ?? null) };
  await checkUsers(em, caller, { userId: fields.userId, ...completion });
  const before = presentTask(task);
  const wasComplete = task.complete;
  if (fields.name !== undefined && fields.name !== task.name) refuseAnonymous(locked.customer, 'name');
  if (fields.outcome && fields.outcome !== task.outcome) refuseAnonymous(locked.customer, 'outcome');
  const nextTaskId = next ? (await followUp(em, locked, { task, next })).id : undefined;
  if (!assignChanges(task, { ...fields, ...completionOf(task, completion, locked.moment), nextTaskId })) return task;
  task.updatedAt = locked.moment.now;
  const isCompleted = task.complete && !wasComplete;
  if (isCompleted) await closeProblem(em, locked, task);
  const type = isCompleted ? 'task.completed' : 'task.updated';
  recordOfCustomer(em, locked, { type, row: task, shown: presentTask(task), before });
  if (isCompleted && task.disputedInvoiceId) await endDisputeHold(em, locked, task.disputedInvoiceId);
  return task;
}

/** Creates the follow-up of a task. Refuses a second one. */
async function followUp(
  em: EntityManager,
  locked: LockedCustomer,
  { task, next }: { task: Task; next: FollowUp },
): Promise<Task> {
  refuseAnonymous(locked.customer, 'next');
  if (task.nextTaskId)
    throw new Refusal('state_conflict', `Task ${task.id} has the follow-up ${task.nextTaskId} already`, 'next');
  await checkMember(em, locked.moment.caller.account, { id: next.userId, param: 'next[user_id]' });
  return writeTask(em, locked, { ...next, followsTaskId: task.id });
}

/** Changes the due date of the open tasks of a dispute, and their name, unless a member has renamed them. */
export async function moveTasksOf(
  em: EntityManager,
  locked: LockedCustomer,
  {
    disputeId,
    before: nameBefore,
    now,
  }: { disputeId: number; before: string; now: { name: string; dueAt: Date | null } },
): Promise<void> {
  const { accountId } = locked.customer;
  for (const task of await em.find(Task, { accountId, complete: false, disputeId })) {
    const before = presentTask(task);
    const name = task.name === cutName(nameBefore) ? cutName(now.name) : task.name;
    if (!assignChanges(task, { name, dueAt: now.dueAt })) continue;
    task.updatedAt = locked.moment.now;
    recordOfCustomer(em, locked, { type: 'task.updated', row: task, shown: presentTask(task), before });
  }
}

function cutName(name: string): string {
  return name.slice(0, 255);
}

/** Deletes a task. The task that it follows up has no follow-up any more. Throws Missing. */
export async function deleteTask(em: EntityManager, key: TaskKey, systemNow: Date): Promise<void> {
  const { locked, task } = await findTask(em, key, systemNow);
  recordOfCustomer(em, locked, { type: 'task.deleted', row: task, shown: presentTask(task) });
  em.remove(task);
  await clearFollowUp(em, locked, task);
  if (task.disputedInvoiceId) await endDisputeHold(em, locked, task.disputedInvoiceId);
  await closeProblem(em, locked, task);
}

/** Closes the problem that a task is to solve, if there is one. */
function closeProblem(em: EntityManager, { moment }: LockedCustomer, { accountId, id }: Task): Promise<void> {
  return closeProblemOf(em, { accountId, subjectType: 'task', subjectId: id }, moment.systemNow);
}

/** Clears the follow-up of the task that a deleted one follows up. */
async function clearFollowUp(
  em: EntityManager,
  locked: LockedCustomer,
  { accountId, followsTaskId }: Task,
): Promise<void> {
  if (!followsTaskId) return;
  const task = await em.findOne(Task, { accountId, id: followsTaskId });
  if (!task) return;
  const before = presentTask(task);
  Object.assign(task, { nextTaskId: null, updatedAt: locked.moment.now });
  recordOfCustomer(em, locked, { type: 'task.updated', row: task, shown: presentTask(task), before });
}

/**
 * Completion of a task after a change. Whoever completes it did it, unless the request names another member or nobody. Refuses a completion
 * date or user for a task that is not complete.
 */
function completionOf(
  task: Completion & { complete: boolean },
  asked: Completion,
  { now, caller }: LockedCustomer['moment'],
): { complete: boolean; completedAt: Date | null; completedByUserId: number | null } {
  const complete = asked.complete ?? task.complete;
  if (complete) {
    const completedAt = asked.completedAt ?? task.completedAt ?? now;
    const by = task.complete ? task.completedByUserId : caller.member?.id;
    const completedByUserId = asked.completedByUserId === undefined ? (by ?? null) : asked.completedByUserId;
    return { complete, completedAt, completedByUserId };
  }
  const field = asked.completedAt ? 'completed_date' : asked.completedByUserId ? 'completed_by_user_id' : null;
  if (field)
    throw new Refusal(
      'parameter_invalid',
      'Completion date and user need a complete task: also send complete: true',
      field,
    );
  return { complete, completedAt: null, completedByUserId: null };
}

async function checkUsers(
  em: EntityManager,
  { account }: Caller,
  users: { userId?: number | null | undefined; completedByUserId?: number | null | undefined },
): Promise<void> {
  await checkMember(em, account, { id: users.userId ?? null, param: 'user_id' });
  await checkMember(em, account, { id: users.completedByUserId ?? null, param: 'completed_by_user_id' });
}

/** Refuses a step that no cadence of the account has. */
async function checkChaseStep(em: EntityManager, accountId: number, stepId: number | undefined): Promise<void> {
  if (stepId === undefined) return;
  if ((await cadenceWithStep(em, accountId, { id: stepId })) === null)
    throw new Refusal('resource_missing', `Chase step was not found: ${stepId}`, 'chase_step_id');
}

async function findTask(
  em: EntityManager,
  { caller, id }: TaskKey,
  systemNow: Date,
): Promise<{ locked: LockedCustomer; task: Task }> {
  const accountId = caller.account.id;
  const locked = await retryOnOwnerChange(() => lockOwner(em, { caller, table: 'task', id }, systemNow));
  const task = await em.findOne(Task, { accountId, id });
  if (!task) throw new Missing('Task', id);
  return { locked, task };
}
