import { assignmentModes, chaseActions, chaseFrequencies } from '../../../billing/cadence.ts';
import * as fields from '../../framework/shape.ts';

const step = fields.shape('ChaseStep', 'A step in which a customer is asked for what it owes', {
  id: fields.id('Id of the step', 12),
  name: fields.text('Name of the step', 'First reminder'),
  action: fields.oneOf(
    'Kind of step: `email` sends late_payment_reminder_email; the others make a task, `escalate` one to review the customer',
    'email',
    chaseActions,
  ),
  schedule: fields.text(
    'When: `age:N` N days after the issue of the oldest open item, `past_due_age:N` N days after its due date',
    'past_due_age:7',
  ),
  email_template_id: fields.unset(fields.text('Id of the email template', 'late_payment_reminder_email')),
  sms_template_id: fields.unset(fields.text('Id of the SMS template', 'reminder')),
  assigned_user_id: fields.unset(fields.id('Id of the user who does the task; null: the owner of the customer', 4)),
  role: fields.unset(fields.text('Role of the contacts to ask', 'Billing')),
});

const condition = fields.value(
  'AssignmentCondition',
  'A condition on customers; all conditions of a cadence must hold',
  {
    field: fields.text('Field of the customer, or `metadata.` and a key', 'country'),
    operator: fields.oneOf('Comparison of the field, without regard to case', 'is', ['is', 'is_not']),
    value: fields.text('Value to compare with; empty: no value', 'DE'),
  },
);

export const planning = fields.value('CadencePlanning', 'Progress of planning customers anew after a change', {
  customers: fields.integer('Number of customers that were planned anew so far', 500),
});

export const chasingCadence = fields.shape(
  'ChasingCadence',
  'Steps in which customers are asked for what they owe, with the days and the hour at which they are asked',
  {
    id: fields.id('Id of the chasing cadence', 3),
    name: fields.text('Name of the cadence', 'Standard'),
    time_of_day: fields.integer('Hour at which customers are asked, 0 to 23, in the time zone of the account', 9),
    frequency: fields.oneOf('Days on which customers are asked', 'daily', chaseFrequencies),
    run_days: {
      schema: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Days of the week (1 Monday to 7 Sunday) or of the month (1 to 31); empty: daily',
      },
      example: [],
    },
    paused: fields.flag('True: it asks nobody until it is resumed', false),
    min_balance: fields.money('Smallest balance that is asked for; each currency counts by itself', 10),
    assignment_mode: fields.oneOf(
      'Customers that follow it besides those that name it: `default` all that no other cadence takes, `conditions` those that match, `none` no others',
      'default',
      assignmentModes,
    ),
    assignment_conditions: fields.listOf(condition, 'Conditions of the mode `conditions`'),
    steps: fields.listOf(step, 'Steps in their order'),
    planning: fields.nullable(fields.one(planning, 'Progress of planning customers anew after a change; null: done')),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
