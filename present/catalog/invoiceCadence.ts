import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { type Presented, unix } from '../kernel/values.ts';
import { presentChaseStep } from './chasingCadence.ts';

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
