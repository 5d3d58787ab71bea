import {
  createLateFeeSchedule,
  deleteLateFeeSchedule,
  updateLateFeeSchedule,
} from '../../commands/catalog/lateFeeSchedules.ts';
import { LateFeeSchedule } from '../../db/schema/lateFee.ts';
import { presentLateFeeSchedule } from '../../present/catalog/cadences.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { type Route, writtenForAll } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const GRACE_PERIOD = 'Days from the end of the due date to the first fee';
const RECURRING = 'Days from each fee to the next one; 0: one fee only';

const lateFeeSchedule = shown.shape('LateFeeSchedule', 'Terms of late fees for past-due invoices', {
  id: shown.id('Id of the late fee schedule'),
  name: shown.text('Name of the schedule', 'Two percent a month'),
  grace_period_days: shown.integer(GRACE_PERIOD, 10),
  amount: shown.number(
    'Fee: a percentage of the overdue principal (`2` is 2 %), or an amount in major currency units',
    2,
  ),
  is_percent: shown.flag('True: `amount` is a percentage; false: an amount in `currency`', true),
  recurring_days: shown.integer(RECURRING, 30),
  cap: shown.nullable(shown.money('Highest sum of the fees of one invoice; null: no limit', 50)),
  currency: shown.currency('Currency of an amount and of `cap`: that of the account at the creation'),
  default: shown.flag('Whether it applies to all past-due invoices of the account; at most one does', true),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['object', 'currency', 'created_at', 'updated_at'];
const days = fields.wholeNumber(0, 365);
const gracePeriod = fields.described(days, GRACE_PERIOD);
const recurring = fields.described(days, RECURRING);
const cap = fields.positiveAmount;

const newLateFeeSchedule = object(
  {
    name: fields.required(fields.name),
    grace_period_days: fields.withDefault(gracePeriod, 0),
    amount: fields.required(fields.unitPrice),
    is_percent: fields.withDefault(fields.boolean, true),
    recurring_days: fields.withDefault(recurring, 0),
    cap,
    default: fields.withDefault(fields.boolean, false),
  },
  { readOnly },
);

const lateFeeScheduleChange = object(
  {
    name: fields.kept(fields.name),
    grace_period_days: fields.resettable(gracePeriod, 0),
    amount: fields.kept(fields.unitPrice),
    is_percent: fields.resettable(fields.boolean, true),
    recurring_days: fields.resettable(recurring, 0),
    cap,
    default: fields.resettable(fields.boolean, false),
  },
  { readOnly: ['id', ...readOnly] },
);

const lateFeeSchedules: Resource<LateFeeSchedule, 'id'> = {
  name: 'Late fee schedule',
  area: 'collections',
  shape: lateFeeSchedule,
  row: LateFeeSchedule,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentLateFeeSchedule),
};

const path = '/late_fee_schedules';
const present = presentLateFeeSchedule;

export const lateFeeScheduleRoutes: Route[] = writtenForAll(
  createRoute({
    path,
    resource: lateFeeSchedules,
    summary: 'Create a late fee schedule',
    body: newLateFeeSchedule,
    present,
    example: { name: 'Two percent a month', grace_period_days: 10, amount: 2, recurring_days: 30 },
    command: (em, { caller, body }, now) => {
      const { name, amount, cap = null, is_percent: isPercent, default: isDefault } = body;
      const days = { gracePeriodDays: body.grace_period_days, recurringDays: body.recurring_days };
      return createLateFeeSchedule(em, { caller, terms: { name, amount, cap, isPercent, isDefault, ...days } }, now);
    },
  }),
  listRoute({ path, resource: lateFeeSchedules, summary: 'List late fee schedules' }),
  readRoute({ path, resource: lateFeeSchedules, summary: 'Read a late fee schedule' }),
  updateRoute({
    path,
    resource: lateFeeSchedules,
    summary: 'Change a late fee schedule, for fees that accrue later',
    present,
    body: lateFeeScheduleChange,
    example: { amount: 1.5, cap: 40 },
    command: (em, { caller, id, body }, now) => {
      const { name, amount, cap, is_percent: isPercent, default: isDefault } = body;
      const days = { gracePeriodDays: body.grace_period_days, recurringDays: body.recurring_days };
      const terms = { name, amount, cap, isPercent, isDefault, ...days };
      return updateLateFeeSchedule(em, { caller, id, terms }, now);
    },
  }),
  deleteRoute({
    path,
    resource: lateFeeSchedules,
    summary: 'Delete a late fee schedule; fees that have accrued stay',
    command: deleteLateFeeSchedule,
  }),
);
