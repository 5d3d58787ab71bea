import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { LateFeeSchedule } from '../../db/schema/lateFee.ts';
import { number, numberOrNull, type Presented, unix } from '../kernel/values.ts';

export function presentLateFeeSchedule(schedule: Plain<LateFeeSchedule>): Presented {
  return {
    id: schedule.id,
    object: 'late_fee_schedule',
    name: schedule.name,
    grace_period_days: schedule.gracePeriodDays,
    amount: number(schedule.amount),
    is_percent: schedule.isPercent,
    recurring_days: schedule.recurringDays,
    cap: numberOrNull(schedule.cap),
    currency: schedule.currency,
    default: schedule.isDefault,
    created_at: unix(schedule.createdAt),
    updated_at: unix(schedule.updatedAt),
  };
}
