import type { ChaseStep } from '../../billing/cadence.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { number, type Presented, unix } from '../kernel/values.ts';

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

export function presentChaseStep(step: ChaseStep, object: string): Presented {
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
