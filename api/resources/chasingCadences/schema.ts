import type { z } from 'zod';
import {
  type AssignmentCondition,
  assignmentModes,
  chaseActions,
  chaseFrequencies,
  MOST_CONDITIONS,
  MOST_STEPS,
} from '../../../billing/cadence.ts';
import type { WantedStep } from '../../../commands/catalog/chasingCadences.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

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

const condition = object({
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
const conditions = fields.list(condition, MOST_CONDITIONS);

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
export function conditionsOf(asked: readonly z.output<typeof condition>[]): AssignmentCondition[] {
  return asked.map(({ field, operator, value }) => ({ field, operator, value }));
}
