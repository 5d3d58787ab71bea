import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { poolOf } from './pools.ts';
import type { Activities, ProcessInput, Turn } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';
import { type ProcessState, state } from './searchAttributes.ts';

/** "Look again": says that something changed, never what. */
export const lookAgain = defineSignal('lookAgain');

/** Turns after which a process starts a new run, so that its history stays small. */
const TURNS_PER_RUN = 500;

/** What one turn of a process does. */
export type TakeTurn = () => Promise<Turn>;

/** A durable alarm clock: takes turns until nothing is waited for, sleeps in between, wakes early when signalled. */
export async function alarmClock(input: ProcessInput, takeTurn: TakeTurn): Promise<void> {
  let signalled = false;
  setHandler(lookAgain, () => {
    signalled = true;
  });
  for (let turns = 0; turns < TURNS_PER_RUN && !workflowInfo().continueAsNewSuggested; turns++) {
    signalled = false;
    const turn = await takeTurn();
    show(turn);
    if (turn.more || signalled) continue;
    if (turn.wakeAt === null) return;
    const rest = Math.max(turn.wakeAt - Date.now(), 1);
    await condition(() => signalled, rest, {
      summary: `${turn.next ?? 'look again'}, ${new Date(turn.wakeAt).toISOString().slice(0, 16)}Z`,
    });
  }
  await continueAsNew(input);
}

/** Tells operators what was done and how the process stands: a change alone is written, and only where it was started with a state. */
function show(turn: Turn): void {
  if (turn.did.length > 0) setCurrentDetails(turn.did.join('\n'));
  const shown = workflowInfo().typedSearchAttributes.get(state);
  const now: ProcessState = turn.isStuck ? 'problem' : 'waiting';
  if (shown !== undefined && shown !== now) upsertSearchAttributes([{ key: state, value: now }]);
}

/** Whose step it is. */
const PROCESSES = {
  advanceSubscription: 'subscription',
  advanceEstimate: 'estimate',
  advanceInvoice: 'invoice',
  advanceCharge: 'charge',
} as const;
type Step = keyof typeof PROCESSES;

const quick = proxyLocalActivities<Activities>({
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '10s',
  retry: { maximumAttempts: 3, initialInterval: '100ms' },
});

/** The same steps where the database is away: they wait for it as long as it takes. What else goes wrong is not repeated here. */
const patient = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: { ...UNTIL_SERVED, nonRetryableErrorTypes: ['StepFailed'] },
});

/**
 * Calls to the world: on a queue, and so with a pool of workers, of their own. Heartbeats tell soon that a worker has died. The activity
 * itself tells when trying again is of no use.
 */
function outside(): Pick<Activities, 'runAttempt' | 'settleAttempt'> {
  return proxyActivities<Activities>({
    taskQueue: poolOf('money'),
    startToCloseTimeout: '60s',
    heartbeatTimeout: '10s',
    retry: UNTIL_SERVED,
  });
}

/**
 * One turn of a process whose steps are database transactions: advance, and where a committed attempt wants the outside world, run
 * it and advance again, which the activity that ran it does at once. A step that keeps failing becomes a problem, which the process
 * sleeps on.
 */
export async function advance(input: ProcessInput, step: Step, call: 'runAttempt' | 'settleAttempt'): Promise<Turn> {
  let turn = await quick[step](input).catch((error) => afterFailure(input, step, error));
  const { accountId } = input;
  const caller = { process: PROCESSES[step], id: input.id };
  try {
    while (turn.call !== null) {
      const next = await outside()[call]({ accountId, id: turn.call, caller });
      if (!next) return { ...turn, more: true };
      turn = { ...next, did: [...turn.did, ...next.did] };
    }
    return turn;
  } catch (error) {
    const reason = failedStep(error);
    if (reason === null) throw error;
    return problem(input, step, reason);
  }
}

async function afterFailure(input: ProcessInput, step: Step, error: unknown): Promise<Turn> {
  const reason = failedStep(error);
  if (reason !== null) return problem(input, step, reason);
  try {
    return await patient[step](input);
  } catch (later) {
    return problem(input, step, failedStep(later) ?? 'the step did not end');
  }
}

/** What is wrong with the step itself; null when the database could not be asked. */
function failedStep(error: unknown): string | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type !== 'DatabaseUnavailable' ? cause.message : null;
}

async function problem(input: ProcessInput, step: Step, message: string): Promise<Turn> {
  log.warn('step failed', { step, reason: message });
  const wakeAt = await patient.reportProblem({ ...input, process: PROCESSES[step], step, message });
  return { did: [`problem: ${message}`], wakeAt, next: 'try again', more: false, call: null, isStuck: true };
}
