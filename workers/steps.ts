import { ApplicationFailure } from '@temporalio/common';
import type { TimedProcess } from '../billing/processes.ts';
import { Refusal } from '../billing/refusal.ts';
import { Missing } from '../commands/kernel/missing.ts';
import type { StepOutcome } from '../commands/kernel/stepOutcome.ts';
import { reportToTeam } from '../commands/mail/problemMails.ts';
import { failpoint } from '../db/failpoint.ts';
import { describeFailure, isUnavailable } from '../db/failure.ts';
import type { EntityManager } from '../db/orm.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import type { StepResult } from './metrics.ts';
import { statusOfProcess } from './processStatus.ts';

/** Limits of one activity. */
const MOST_STEPS = 20;
const MOST_MILLISECONDS = 2000;

export interface Stepping {
  process: TimedProcess;
  input: ProcessInput;
  step: (em: EntityManager, input: ProcessInput, systemNow: Date) => Promise<StepOutcome>;
}

/**
 * Takes the due steps of a process, each in its own transaction. Returns when no step is due, when a step needs its gateway, or at the
 * limits of one activity. A refusal becomes a problem at once, another failure after three tries (`workflows/alarmClock.ts`); an unavailable
 * database is waited for (`classified`). `perennial problems` and `GET /problems` list the problems (`reportProblem`). If the object no
 * longer exists, the process ends.
 */
export async function takeSteps(deps: WorkerDeps, stepping: Stepping): Promise<ActivityResult> {
  const did: string[] = [];
  const started = performance.now();
  for (let steps = 1; ; steps++) {
    const { waited, facts, ...outcome } = await oneStep(deps, stepping);
    if (outcome.did && waited) deps.progress?.served(waited.environment, waited.since);
    deps.poke();
    if (outcome.did) did.push(outcome.did);
    const enough = steps >= MOST_STEPS || performance.now() - started > MOST_MILLISECONDS;
    if (!outcome.more || outcome.call !== null || enough) {
      const { process, input } = stepping;
      return { ...outcome, did, ...(await statusOfProcess(deps, { process, ...input }, facts)) };
    }
  }
}

type Step = StepOutcome & Pick<ActivityResult, 'isStuck'>;

async function oneStep(deps: WorkerDeps, stepping: Stepping): Promise<Step> {
  const { process, step } = stepping;
  const { accountId, id } = stepping.input;
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const outcome = await inTransaction(deps.em, (em) => step(em, { accountId, id }, deps.systemNow()));
    deps.metrics?.stepped(process, outcome.did ? 'done' : 'idle', seconds());
    if (outcome.did) await failpoint(`${process}.committed`);
    return outcome;
  } catch (error) {
    deps.metrics?.stepped(process, resultOf(error), seconds());
    if (error instanceof Missing) return { did: error.message, wakeAt: null, next: null, more: false, call: null };
    if (error instanceof Refusal) return problem(deps, stepping, error);
    throw classified(error);
  }
}

function resultOf(error: unknown): StepResult {
  if (error instanceof Missing) return 'gone';
  if (error instanceof Refusal) return 'refused';
  return isUnavailable(error) ? 'unavailable' : 'failed';
}

async function problem(deps: WorkerDeps, stepping: Stepping, refusal: Refusal): Promise<Step> {
  const { process, input } = stepping;
  const report = { accountId: input.accountId, process, id: input.id, step: process, message: refusal.message };
  const wakeAt = await inTransaction(deps.em, (em) => reportToTeam(em, report, deps.systemNow()));
  return { did: `refused: ${refusal.message}`, wakeAt, next: 'try again', more: false, call: null, isStuck: true };
}

/** Type of a failure of the step itself, as opposed to an unavailable database. */
export const STEP_FAILED = 'StepFailed';

/**
 * Classifies a failure for processes. If the database is unavailable, they wait for it. If the step itself fails, they record a problem.
 * The message contains nothing confidential.
 */
export function classified(error: unknown): ApplicationFailure {
  const type = isUnavailable(error) ? 'DatabaseUnavailable' : STEP_FAILED;
  return ApplicationFailure.retryable(describeFailure(error), type);
}

/** Number of failures of a gateway call, other than an unavailable database, after which it becomes a problem. */
const MOST_FAILURES = 3;

/** Number of failures of an activity with STEP_FAILED, this one included. `earlier`: the number from its last heartbeat. */
export function failuresWith(earlier: unknown, type: string | undefined | null): { failures: number; isOver: boolean } {
  const before = typeof earlier === 'number' ? earlier : 0;
  const failures = before + (type === STEP_FAILED ? 1 : 0);
  return { failures, isOver: type === STEP_FAILED && failures >= MOST_FAILURES };
}
