import { declineKinds } from '../../../billing/payments/declines.ts';

const outcomes = [
  'succeed',
  ...declineKinds,
  'pending_succeed',
  'pending_fail',
  'timeout_taken',
  'timeout_untaken',
] as const;

/** Outcome of a charge. `timeout_taken` and `timeout_untaken`: `confirm` never answers, and the money is taken or not. */
export type ScriptedOutcome = (typeof outcomes)[number];

/** One step of a script. With `until` (epoch milliseconds) it applies to all charges before that time, and is skipped afterwards. */
export interface ScriptStep {
  outcome: ScriptedOutcome;
  until: number | null;
}

const maxSteps = 100;

/** Parses `soft.soft.succeed` or `soft@2027-03-04.succeed`. Days begin at midnight UTC. Null if the text is not a script. */
export function parseScript(text: string): ScriptStep[] | null {
  const parts = text.split('.');
  if (parts.length > maxSteps) return null;
  const steps: ScriptStep[] = [];
  for (const part of parts) {
    const step = parseStep(part);
    if (!step) return null;
    steps.push(step);
  }
  return steps;
}

function parseStep(text: string): ScriptStep | null {
  const [name, day, ...rest] = text.split('@');
  const outcome = outcomes.find((known) => known === name);
  if (!outcome || rest.length > 0) return null;
  if (day === undefined) return { outcome, until: null };
  const until = startOfDay(day);
  return until === null ? null : { outcome, until };
}

function startOfDay(day: string): number | null {
  const instant = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== day) return null;
  return instant.getTime();
}

/** The outcome of a charge at `at` (epoch milliseconds) with the script at `position`, and the position afterwards. The last step repeats. */
export function drawOutcome(steps: ScriptStep[], position: number, at: number) {
  const last = steps.length - 1;
  let index = Math.min(position, last);
  while (index < last && hasPassed(steps[index], at)) index += 1;
  const step = steps[index];
  if (!step) throw new Error('A script has at least one step');
  const stays = index === last || step.until !== null;
  return { outcome: step.outcome, nextPosition: stays ? index : index + 1 };
}

function hasPassed(step: ScriptStep | undefined, at: number): boolean {
  return step !== undefined && step.until !== null && at >= step.until;
}
