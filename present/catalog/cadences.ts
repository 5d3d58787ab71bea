import type { ChaseStep } from '../../billing/collection/cadence.ts';
import type { AskedBalance, ChaseSilence, ForeseenStep } from '../../billing/collection/chasing.ts';
import { roundMoney } from '../../billing/money/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import type { LateFeeSchedule } from '../../db/schema/lateFee.ts';
import { number, numberOrNull, type Presented, unix } from '../kernel/values.ts';

export function presentChasingCadence(cadence: Plain<ChasingCadence>): Presented {
  const isPlanning = cadence.planningAfter !== null && cadence.planningAfter !== undefined;
  return {
    id: cadence.id,
    object: 'chasing_cadence',
    name: cadence.name,
    time_of_day: cadence.timeOfDay,
    frequency: cadence.frequency,
    run_days: cadence.runDays,
    paused: cadence.paused,
    min_balance: number(cadence.minBalance),
    assignment_mode: cadence.assignmentMode,
    assignment_conditions: cadence.assignmentConditions.map(({ field, operator, value }) => ({
      field,
      operator,
      value,
    })),
    steps: cadence.steps.map((step) => presentChaseStep(step, 'chase_step')),
    planning: isPlanning ? { customers: cadence.plannedCount } : null,
    created_at: unix(cadence.createdAt),
    updated_at: unix(cadence.updatedAt),
  };
}

function presentChaseStep(step: ChaseStep, object: string): Presented {
  return {
    id: step.id,
    object,
    name: step.name,
    action: step.action,
    schedule: step.schedule,
    email_template_id: step.emailTemplateId,
    sms_template_id: step.smsTemplateId,
    assigned_user_id: step.assignedUserId,
    role: step.role,
  };
}

interface Preview {
  customers: readonly {
    customerId: number;
    name: string;
    last: { stepId: number; at: Date | null } | null;
    steps: readonly ForeseenStep[];
    after: ChaseSilence | null;
  }[];
  next: number | null;
}

/** Presents the steps of a cadence in the next days. */
export function presentCadencePreview(cadenceId: number, { customers, next }: Preview): Presented {
  return {
    chasing_cadence: cadenceId,
    customers: customers.map(({ customerId, name, last, steps, after }) => ({
      customer: customerId,
      name,
      last_step: last && { chase_step: last.stepId, at: last.at && unix(last.at) },
      steps: steps.map(presentStep),
      reason: after,
    })),
    next,
  };
}

function presentStep({ at, step, asked }: ForeseenStep): Presented {
  return {
    at: Math.floor(at / 1000),
    chase_step: step.id,
    name: step.name,
    action: step.action,
    balances: asked.map(presentAsked),
  };
}

function presentAsked({ currency, balance, items }: AskedBalance): Presented {
  const invoices = [...new Set(items.map(({ invoiceId }) => invoiceId))];
  return { currency, balance: number(roundMoney(balance, currency)), invoices };
}

export function presentInvoiceCadence(cadence: Plain<ChasingCadence>): Presented {
  const isPlanning = cadence.planningAfter !== null && cadence.planningAfter !== undefined;
  return {
    id: cadence.id,
    object: 'invoice_chasing_cadence',
    name: cadence.name,
    time_of_day: cadence.timeOfDay,
    paused: cadence.paused,
    default: cadence.isDefault,
    steps: cadence.steps.map((step) => presentChaseStep(step, 'invoice_chase_step')),
    planning: isPlanning ? { customers: cadence.plannedCount } : null,
    created_at: unix(cadence.createdAt),
    updated_at: unix(cadence.updatedAt),
  };
}

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
