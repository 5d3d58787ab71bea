import {
  createLateFeeSchedule,
  deleteLateFeeSchedule,
  updateLateFeeSchedule,
} from '../../../commands/catalog/lateFeeSchedules.ts';
import { presentLateFeeSchedule } from '../../../present/catalog/lateFeeSchedule.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { lateFeeSchedules } from './resource.ts';
import { lateFeeScheduleChange, newLateFeeSchedule } from './schema.ts';

const path = '/late_fee_schedules';
const present = presentLateFeeSchedule;

export const lateFeeScheduleRoutes: Route[] = [
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
];
