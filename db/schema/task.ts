import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { eventCount, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { NAME_KEYS, partialIndex, searchIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

export type TaskAction = 'phone' | 'letter' | 'email' | 'review';

const TaskSchema = defineEntity({
  name: 'Task',
  policies: policiesThrough('task', 'customer'),
  comment: 'A to-do about a customer',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    name: p.string().length(255),
    action: p.string().length(6).$type<TaskAction>(),
    /** The member who has to do it; null: anybody. */
    userId: p.integer().nullable(),
    dueAt: p.datetime().nullable(),
    complete: p.boolean(),
    completedAt: p.datetime().nullable(),
    completedByUserId: p.integer().nullable(),
    /** The words of a member about what happened, or those of the product when it completes the task. */
    outcome: p.string().length(1000).nullable(),
    /** The follow-up. */
    nextTaskId: p.integer().nullable(),
    /** The task that it follows up. A task has one follow-up at most. */
    followsTaskId: p.integer().nullable(),
    /** The chasing step that created it. */
    chaseStepId: p.integer().nullable(),
    /** The held bill, which waits to be issued. The task is complete once the bill is issued, voided or deleted. */
    heldInvoiceId: p.integer().nullable(),
    /** The dispute for which evidence is due. The task is complete once the dispute is closed. */
    disputeId: p.integer().nullable(),
    /** The invoice whose promised payment did not come. The task is complete once it is paid, given up or promised again. */
    promisedInvoiceId: p.integer().nullable(),
    /** The invoice of which the customer disputes a line. The task is complete once it is paid, closed or voided. */
    disputedInvoiceId: p.integer().nullable(),
    /** The address to correct, to which nothing is sent any more. The task is complete once it is changed or allowed again. */
    suppressionId: p.integer().nullable(),
    /** The first invoice that could not be mailed. The task is complete once its customer has an address. */
    unmailedInvoiceId: p.integer().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'task_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'task_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'task_by_action', properties: ['accountId', 'action', 'id'] },
    { name: 'task_by_complete', properties: ['accountId', 'complete', 'id'] },
    { name: 'task_by_due', properties: ['accountId', 'dueAt', 'id'] },
    { name: 'task_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'task_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    partialIndex('task', 'task_open_by_due', ['account_id, due_at, id', 'not complete']),
    partialIndex('task', 'task_by_user', ['account_id, user_id, id', 'user_id is not null']),
    {
      name: 'task_follow_up',
      expression:
        'create unique index "task_follow_up" on "task" ("account_id", "follows_task_id") where follows_task_id is not null',
    },
    partialIndex('task', 'task_by_held_invoice', ['account_id, held_invoice_id', 'held_invoice_id is not null']),
    partialIndex('task', 'task_by_promise', ['account_id, promised_invoice_id', 'promised_invoice_id is not null']),
    partialIndex('task', 'task_by_dispute', ['account_id, dispute_id', 'dispute_id is not null']),
    partialIndex('task', 'task_by_disputed_invoice', [
      'account_id, disputed_invoice_id',
      'disputed_invoice_id is not null',
    ]),
    partialIndex('task', 'task_by_suppression', ['account_id, suppression_id', 'suppression_id is not null']),
    searchIndex('task', NAME_KEYS),
  ],
  checks: [
    { name: 'task_action', expression: "action in ('phone', 'letter', 'email', 'review')" },
    { name: 'task_complete', expression: 'complete = (completed_at is not null)' },
  ],
});
export class Task extends TaskSchema.class {}
TaskSchema.setClass(Task);

const TaskInvoiceSchema = defineEntity({
  name: 'TaskInvoice',
  policies: policiesThrough('task_invoice', 'task'),
  comment: 'An invoice that the task of a cadence asks for',
  properties: {
    ...tenantKey,
    task: () => p.manyToOne(Task).joinColumns('account_id', 'task_id').deleteRule('cascade'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('cascade'),
  },
  uniques: [{ name: 'task_invoice_once', properties: ['accountId', 'task', 'invoice'] }],
  indexes: [{ name: 'task_invoice_by_invoice', properties: ['accountId', 'invoice'] }],
});
export class TaskInvoice extends TaskInvoiceSchema.class {}
TaskInvoiceSchema.setClass(TaskInvoice);
