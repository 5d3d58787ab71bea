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
import type { StepName, TimedProcess, timedProcesses } from '../billing/processes.ts';
import type { Activities, ActivityResult, ProcessInput } from './process.ts';
import type { QueueClass } from './queues.ts';
import { type ProcessState, searchAttributes } from './searchAttributes.ts';
import { atWork, type Doing, doing, standing, waiting } from './words.ts';

/**
 * Retry policy for activities that wait for the database or another service. They are retried without end, at least every ten seconds,
 * because the process handles no signals meanwhile.
 */
export const UNTIL_SERVED = { initialInterval: '1s', maximumInterval: '10s' } as const;

/**
 * Task queue for activities of another class than the workflow's own, which is billing. Slow gateways, mail servers and endpoints then
 * occupy only their own pool of workers.
 */
export function poolOf(work: Exclude<QueueClass, 'billing'>): string {
  return workflowInfo().taskQueue.replace(/billing$/, work);
}

/** Tells a process to look again, because something changed. The signal never says what changed. */
export const lookAgain = defineSignal('lookAgain');

/** Iterations after which a process starts a new run, so that its history stays small. */
const ITERATIONS_PER_RUN = 500;

/** Runs the activity of one iteration. `about` describes the object, for the summaries of its activities. */
export type RunActivity = (about: string) => Promise<ActivityResult>;

/** A durable alarm clock. Runs the activity, sleeps until its next wake-up or a signal, and repeats. Ends when no wake-up is planned. */
export async function alarmClock(input: ProcessInput, runActivity: RunActivity): Promise<void> {
  let signalled = false;
  let about = input.about ?? `${workflowInfo().workflowType} ${input.id}`;
  setHandler(lookAgain, heed, { description: 'Looks again at what is due; says what it is about, never what changed' });
  function heed(): void {
    signalled = true;
  }
  for (let iteration = 0; iteration < ITERATIONS_PER_RUN && !workflowInfo().continueAsNewSuggested; iteration++) {
    signalled = false;
    setCurrentDetails(atWork(about, Date.now()));
    const result = await runActivity(about);
    about = result.about ?? about;
    show(result, about);
    if (result.more || signalled) continue;
    if (result.wakeAt === null) return;
    const rest = Math.max(result.wakeAt - Date.now(), 1);
    await condition(() => signalled, rest, { summary: waiting(about, result) });
  }
  await continueAsNew({ ...input, about });
}

/**
 * Shows operators the status of the process, its wait and its last steps. Details add no event to the history. The search attribute does,
 * so it is written only when it changes, and only for processes that were started with it.
 */
function show(result: ActivityResult, about: string): void {
  setCurrentDetails(standing(about, result, Date.now()));
  const shown = workflowInfo().typedSearchAttributes.get(searchAttributes.state);
  const now: ProcessState = result.isStuck ? 'problem' : 'waiting';
  if (shown !== undefined && shown !== now) upsertSearchAttributes([{ key: searchAttributes.state, value: now }]);
}

/** The activity that calls the gateway for an attempt that a step has begun. */
export type CallOfStep = 'runAttempt' | 'settleAttempt';

/** A timed process and the activity that takes its steps. */
export type Stepping = {
  [Name in TimedProcess]: { process: Name; step: (typeof timedProcesses)[Name]['step'] };
}[TimedProcess];

/** Steps as local activities, which add little to the history. Tried up to three times within ten seconds. */
const localSteps = (about: string) =>
  proxyLocalActivities<Activities>({
    startToCloseTimeout: '5s',
    scheduleToCloseTimeout: '10s',
    retry: { maximumAttempts: 3, initialInterval: '100ms' },
    summary: doing(about),
  });

/**
 * Steps as ordinary activities, while the database is unavailable: retried until it is back. A failure of the step itself is not retried.
 */
const patientSteps = (about: string, what?: Doing) =>
  proxyActivities<Activities>({
    startToCloseTimeout: '30s',
    retry: { ...UNTIL_SERVED, nonRetryableErrorTypes: ['StepFailed'] },
    summary: doing(about, what),
  });

/**
 * Gateway calls, on a queue with its own pool of workers. Missing heartbeats reveal a dead worker within seconds. The activity itself
 * decides when a failure is not retried.
 */
function gatewayActivities(about: string): Pick<Activities, 'runAttempt' | 'settleAttempt'> {
  return proxyActivities<Activities>({
    taskQueue: poolOf('money'),
    startToCloseTimeout: '60s',
    heartbeatTimeout: '10s',
    retry: UNTIL_SERVED,
    summary: doing(about, 'ask'),
  });
}

/**
 * One iteration of a process whose steps are database transactions. Takes the due steps. While a committed attempt needs its gateway, runs
 * the attempt in an activity that also takes the next step. A step that keeps failing becomes a problem, and the process sleeps until its
 * retry.
 */
export async function runIteration(
  { accountId, id }: ProcessInput,
  { process, step, call }: Stepping & { call: CallOfStep },
  known: string,
): Promise<ActivityResult> {
  const taking: Taking = { accountId, id, process, step, about: known };
  let result = await localSteps(known)
    [step]({ accountId, id })
    .catch((error) => afterFailure(taking, error));
  const caller = { process, id };
  try {
    while (result.call !== null) {
      taking.about = result.about ?? taking.about;
      show(result, taking.about);
      const next = await gatewayActivities(taking.about)[call]({ accountId, id: result.call, caller });
      if (!next) return { ...result, more: true };
      result = { ...next, did: [...result.did, ...next.did] };
    }
    return result;
  } catch (error) {
    const reason = failedStep(error);
    if (reason === null) throw error;
    return problem(taking, reason);
  }
}

interface Taking {
  accountId: number;
  id: number;
  process: TimedProcess;
  step: StepName;
  about: string;
}

/** Handles a failed step: records a problem, or waits for the database and takes the step. */
async function afterFailure(taking: Taking, error: unknown): Promise<ActivityResult> {
  const { accountId, id, step, about } = taking;
  const reason = failedStep(error);
  if (reason !== null) return problem(taking, reason);
  try {
    return await patientSteps(about)[step]({ accountId, id });
  } catch (later) {
    return problem(taking, failedStep(later) ?? 'the step did not end');
  }
}

/** The message of a failure of the step itself; null: the database was unavailable. */
function failedStep(error: unknown): string | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type !== 'DatabaseUnavailable' ? cause.message : null;
}

async function problem({ accountId, id, process, step, about }: Taking, message: string): Promise<ActivityResult> {
  log.warn('step failed', { step, reason: message });
  const { reportProblem } = patientSteps(about, 'report');
  const wakeAt = await reportProblem({ accountId, id, process, step, message });
  return { did: [`failed: ${message}`], wakeAt, next: 'try again', more: false, call: null, isStuck: true };
}
