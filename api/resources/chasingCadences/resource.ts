import type { z } from 'zod';
import {
  type AssignmentCondition,
  assignmentModes,
  chaseActions,
  chaseFrequencies,
  MOST_CONDITIONS,
  MOST_STEPS,
} from '../../../billing/collection/cadence.ts';
import type { WantedStep } from '../../../commands/catalog/chasingCadences.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { ChasingCadence } from '../../../db/schema/chasingCadence.ts';
import { presentChasingCadence } from '../../../present/catalog/cadences.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';

/** A step in a response. `schedule`: when it is taken. */
export const shownStepWith = (name: string, description: string, schedule: shown.Property) =>
  shown.shape(name, description, {
    id: shown.id('Id of the step', 12),
    name: shown.text('Name of the step', 'First reminder'),
    action: shown.oneOf(
      'Kind of step: `email` sends late_payment_reminder_email; the others make a task, `escalate` one to review the customer',
      'email',
      chaseActions,
    ),
    schedule,
    email_template_id: shown.unset(shown.text('Id of the email template', 'late_payment_reminder_email')),
    sms_template_id: shown.unset(shown.text('Id of the SMS template', 'reminder')),
    assigned_user_id: shown.unset(shown.id('Id of the user who does the task; null: the owner of the customer', 4)),
    role: shown.unset(shown.text('Role of the contacts to ask', 'Billing')),
  });

const shownStep = shownStepWith(
  'ChaseStep',
  'A step in which a customer is asked for what it owes',
  shown.text(
    'When: `age:N` N days after the issue of the oldest open item, `past_due_age:N` N days after its due date',
    'past_due_age:7',
  ),
);

const shownCondition = shown.value(
  'AssignmentCondition',
  'A condition on customers; all conditions of a cadence must hold',
  {
    field: shown.text('Field of the customer, or `metadata.` and a key', 'country'),
    operator: shown.oneOf('Comparison of the field, without regard to case', 'is', ['is', 'is_not']),
    value: shown.text('Value to compare with; empty: no value', 'DE'),
  },
);

export const planning = shown.value('CadencePlanning', 'Progress of planning customers anew after a change', {
  customers: shown.integer('Number of customers that were planned anew so far', 500),
});

export const shownCadence = shown.shape(
  'ChasingCadence',
  'Steps in which customers are asked for what they owe, with the days and the hour at which they are asked',
  {
    id: shown.id('Id of the chasing cadence', 3),
    name: shown.text('Name of the cadence', 'Standard'),
    time_of_day: shown.integer('Hour at which customers are asked, 0 to 23, in the time zone of the account', 9),
    frequency: shown.oneOf('Days on which customers are asked', 'daily', chaseFrequencies),
    run_days: {
      schema: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Days of the week (1 Monday to 7 Sunday) or of the month (1 to 31); empty: daily',
      },
      example: [],
    },
    paused: shown.flag('True: it asks nobody until it is resumed', false),
    min_balance: shown.money('Smallest balance that is asked for; each currency counts by itself', 10),
    assignment_mode: shown.oneOf(
      'Customers that follow it besides those that name it: `default` all that no other cadence takes, `conditions` those that match, `none` no others',
      'default',
      assignmentModes,
    ),
    assignment_conditions: shown.listOf(shownCondition, 'Conditions of the mode `conditions`'),
    steps: shown.listOf(shownStep, 'Steps in their order'),
    planning: shown.nullable(shown.one(planning, 'Progress of planning customers anew after a change; null: done')),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

const readOnly = ['object', 'planning', 'created_at', 'updated_at'];

/** A step in a request. `schedule`: when it is taken. */
export const stepWith = (schedule: fields.Field<string>) =>
  object(
    {
      id: fields.described(fields.id, 'Id of a step that the cadence has; absent: a new step'),
      name: fields.required(fields.name),
      action: fields.required(fields.choice(...chaseActions)),
      schedule: fields.required(schedule),
      email_template_id: fields.text(64),
      sms_template_id: fields.text(64),
      assigned_user_id: fields.described(
        fields.id,
        'Id of the user who does the task; default: the owner of the customer',
      ),
      role: fields.text(),
    },
    { readOnly: ['object'] },
  );

const step = stepWith(
  fields.described(
    fields.text(),
    '`age:N`: N days after the issue of the oldest open item; `past_due_age:N`: N days after its due date',
    'past_due_age:7',
  ),
);

const assignmentCondition = object({
  field: fields.required(
    fields.described(
      fields.text(64),
      'country, state, currency, language, type, payment_terms, owner, parent_customer, autopay or metadata.<key>',
      'country',
    ),
  ),
  operator: fields.withDefault(fields.choice('is', 'is_not'), 'is'),
  value: fields.withDefault(fields.described(fields.text(), 'Value to compare with; empty: no value', 'DE'), ''),
});

export const hour = fields.described(
  fields.wholeNumber(0, 23),
  'Hour at which customers are asked, in the time zone of the account',
);
const runDays = fields.described(
  fields.list(fields.required(fields.wholeNumber(1, 31)), 31),
  'Days of the week (1 Monday to 7 Sunday) or of the month (1 to 31; a shorter month ends with it)',
);
const minimum = fields.described(
  fields.nonNegativeAmount,
  'Smallest balance that is asked for, each currency by itself; in major currency units',
);
const mode = fields.choice(...assignmentModes);
const steps = fields.list(step, MOST_STEPS);
const conditions = fields.list(assignmentCondition, MOST_CONDITIONS);

export const newChasingCadence = object(
  {
    name: fields.required(fields.name),
    time_of_day: fields.withDefault(hour, 9),
    frequency: fields.withDefault(fields.choice(...chaseFrequencies), 'daily'),
    run_days: runDays,
    paused: fields.withDefault(fields.boolean, false),
    min_balance: fields.withDefault(minimum, '0'),
    assignment_mode: fields.withDefault(mode, 'none'),
    assignment_conditions: conditions,
    steps: fields.required(steps),
  },
  { readOnly },
);

export const chasingCadenceChange = object(
  {
    name: fields.kept(fields.name),
    time_of_day: fields.resettable(hour, 9),
    frequency: fields.resettable(fields.choice(...chaseFrequencies), 'daily'),
    run_days: runDays,
    paused: fields.resettable(fields.boolean, false),
    min_balance: fields.resettable(minimum, '0'),
    assignment_mode: fields.resettable(mode, 'none'),
    assignment_conditions: conditions,
    steps: fields.kept(steps),
  },
  { readOnly: ['id', ...readOnly] },
);

type Step = z.output<typeof step>;

/** The steps of a request as input of commands. */
export function stepsOf(asked: readonly Step[]): WantedStep[] {
  return asked.map(({ id = null, name, action, schedule, role = null, ...others }) => ({
    id,
    name,
    action,
    schedule,
    emailTemplateId: others.email_template_id ?? null,
    smsTemplateId: others.sms_template_id ?? null,
    assignedUserId: others.assigned_user_id ?? null,
    role,
  }));
}

/** The conditions of a request as input of commands. */
export function conditionsOf(asked: readonly z.output<typeof assignmentCondition>[]): AssignmentCondition[] {
  return asked.map(({ field, operator, value }) => ({ field, operator, value }));
}

export const chasingCadences: Resource<ChasingCadence, 'id'> = {
  name: 'Chasing cadence',
  area: 'collections',
  shape: shownCadence,
  row: ChasingCadence,
  idColumn: 'id',
  exists: condition("kind = 'customer'"),
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentChasingCadence),
};
