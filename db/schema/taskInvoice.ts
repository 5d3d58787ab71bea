import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { Invoice } from './invoice.ts';
import { Task } from './task.ts';

const TaskInvoiceSchema = defineEntity({
  name: 'TaskInvoice',
  policies: tenantPolicies,
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
