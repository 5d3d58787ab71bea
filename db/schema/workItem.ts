import { defineEntity, p } from '@mikro-orm/core';
import type { WorkKind } from '../../billing/collection/work.ts';
import { amount } from './columns.ts';
import type { TaskAction } from './task.ts';

/** Not a table: a row of `worklistOf`, something that waits for a person. */
const WorkItemSchema = defineEntity({
  name: 'WorkItem',
  expression: 'select null where false',
  properties: {
    accountId: p.integer(),
    /** `task-0000000077`: the kind, and the id of the object. */
    id: p.string(),
    kind: p.string().$type<WorkKind>(),
    subjectType: p.string(),
    subjectId: p.integer(),
    /** The open task about it; null: there is none. */
    taskId: p.integer().nullable(),
    /** What has to be done; null: it has no task. */
    action: p.string().$type<TaskAction>().nullable(),
    customerId: p.integer().nullable(),
    customerName: p.string().nullable(),
    /** The member who does it: that of its task, or the owner of its customer. */
    userId: p.integer().nullable(),
    currency: p.string().nullable(),
    moneyAtRisk: amount().nullable(),
    dueAt: p.datetime().nullable(),
    since: p.datetime(),
    /** Number of the document, or name of the task. */
    title: p.string().nullable(),
    /** A code, or a word of a gateway. */
    reason: p.string().nullable(),
    /** Words of the product or of people. */
    message: p.string().nullable(),
    /** Number of invoices or tries. */
    count: p.integer().nullable(),
    /** A day that the reason names. */
    dayAt: p.datetime().nullable(),
    /** What the customer owes. */
    owed: amount().nullable(),
    /** Position in the list: a text that sorts. */
    place: p.string(),
  },
});
export class WorkItem extends WorkItemSchema.class {}
WorkItemSchema.setClass(WorkItem);
