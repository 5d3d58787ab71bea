import { chaseActions } from '../../../billing/cadence.ts';
import * as fields from '../../framework/shape.ts';
import { planning } from '../chasingCadences/shape.ts';

const step = fields.shape('InvoiceChaseStep', 'A step in which an invoice is asked for', {
  id: fields.id('Id of the step', 12),
  name: fields.text('Name of the step', 'First reminder'),
  action: fields.oneOf(
    'Kind of step: `email` sends late_payment_reminder_email; the others make a task, `escalate` one to review the customer',
    'email',
    chaseActions,
  ),
  schedule: fields.text(
    'When: `issue`, `after_issue:N`, `before_due:N`, `after_due:N` in days, `on:YYYY-MM-DD`, or `every:N` days after the step before',
    'after_due:7',
  ),
  email_template_id: fields.unset(fields.text('Id of the email template', 'late_payment_reminder_email')),
  sms_template_id: fields.unset(fields.text('Id of the SMS template', 'reminder')),
  assigned_user_id: fields.unset(fields.id('Id of the user who does the task; null: the owner of the customer', 4)),
  role: fields.unset(fields.text('Role of the contacts to ask', 'Billing')),
});

export const invoiceCadence = fields.shape(
  'InvoiceChasingCadence',
  'Steps in which single invoices are asked for, with the hour at which their customers are asked',
  {
    id: fields.id('Id of the invoice chasing cadence', 3),
    name: fields.text('Name of the cadence', 'Large invoices'),
    time_of_day: fields.integer('Hour at which customers are asked, 0 to 23, in the time zone of the account', 9),
    paused: fields.flag('True: it asks for nothing until it is resumed', false),
    default: fields.flag('True: invoices that name no cadence get it when they are issued', false),
    steps: fields.listOf(step, 'Steps of the cadence'),
    planning: fields.nullable(fields.one(planning, 'Progress of planning customers anew after a change; null: done')),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
