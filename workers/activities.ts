import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { runAttempt, settleAttempt } from '../commands/charges/attempts.ts';
import { advanceCharge } from '../commands/charges/steps.ts';
import { advanceInvoice } from '../commands/collection/invoiceSteps.ts';
import { advanceEstimate } from '../commands/estimates/steps.ts';
import { reportProblem } from '../commands/kernel/problems.ts';
import { advanceSubscription } from '../commands/subscriptions/steps.ts';
import type { TimedProcess } from '../db/schema/wakeup.ts';
import { asAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Activities, ActivityResult, Call, ProcessInput } from '../workflows/process.ts';
import { advanceClock } from './clock.ts';
import type { WorkerDeps } from './deps.ts';
import { createGatewayShare } from './gatewayShare.ts';
import { statusOfClock } from './processStatus.ts';
import { pumpMail } from './pumpMail.ts';
import { pumpWebhook } from './pumpWebhook.ts';
import type { StepShare } from './stepShare.ts';
import { classified, failuresWith, STEP_FAILED, takeSteps } from './steps.ts';
import type { LongProcess, Turns } from './turns.ts';

/**
 * The activities that workflows may call. Each may run twice: the database refuses a second effect. Each reads only the input fields that
 * it knows, because a workflow of a later version may send more.
 */
export function createActivities(deps: WorkerDeps, turns: Turns, share: StepShare): Activities {
  const { lookUpDelay } = deps;
  const steps: Record<TimedProcess, (input: ProcessInput) => Promise<ActivityResult>> = {
    subscription: (input) => takeSteps(deps, { process: 'subscription', input, step: advanceSubscription }),
    estimate: (input) => takeSteps(deps, { process: 'estimate', input, step: advanceEstimate }),
    invoice: (input) =>
      takeSteps(deps, {
        process: 'invoice',
        input,
        step: (em, key, systemNow) => advanceInvoice(em, { ...key, lookUpDelay }, systemNow),
      }),
    charge: (input) =>
      takeSteps(deps, {
        process: 'charge',
        input,
        step: (em, key, systemNow) => advanceCharge(em, { ...key, lookUpDelay }, systemNow),
      }),
  };
  const inTurn = (input: ProcessInput, { process, work }: LongWork): Promise<ActivityResult> =>
    turns.take({ process, ...input }, (isWanted) => work(deps, input, isWanted));
  /** The next step of the process that waited for the call. Null when it fails: the process then takes the step itself. */
  const next = (accountId: number, caller: Call['caller']): Promise<ActivityResult | null> =>
    caller ? steps[caller.process]({ accountId, id: caller.id }).catch(() => null) : Promise.resolve(null);
  const gatewayShare = createGatewayShare();
  const asking = (accountId: number, { work, next: then }: GatewayWork): Promise<ActivityResult | null> =>
    gatewayShare.take(accountId, () => beating(work, then));
  return confined({
    advanceSubscription: (input) => share.run(input.accountId, () => steps.subscription(input)),
    advanceEstimate: (input) => share.run(input.accountId, () => steps.estimate(input)),
    advanceInvoice: (input) => share.run(input.accountId, () => steps.invoice(input)),
    advanceCharge: (input) => share.run(input.accountId, () => steps.charge(input)),
    runAttempt: ({ accountId, id, caller }) =>
      asking(accountId, {
        work: () => counted(deps, runAttempt(deps, { accountId, id })),
        next: () => next(accountId, caller),
      }),
    settleAttempt: ({ accountId, id, caller }) =>
      asking(accountId, {
        work: () => counted(deps, settleAttempt(deps, { accountId, id })),
        next: () => next(accountId, caller),
      }),
    pumpWebhook: (input) => inTurn(input, { process: 'webhook', work: pumpWebhook }),
    pumpMail: (input) => pumpMail(deps, input),
    advanceClock: async (input) => {
      const result = await inTurn(input, { process: 'clock', work: advanceClock });
      return { ...result, ...(await statusOfClock(deps, input)) };
    },
    reportProblem: (trouble) => inTransaction(deps.em, (em) => reportProblem(em, trouble, deps.systemNow())),
  });
}

/** A gateway call, followed by the next step of the process that waited for it. */
interface GatewayWork {
  work(): Promise<void>;
  next(): Promise<ActivityResult | null>;
}

/** Work that may run for a minute. It ends sooner when another process of its account waits for a place. */
interface LongWork {
  process: LongProcess;
  work(deps: WorkerDeps, input: ProcessInput, isWanted: () => boolean): Promise<ActivityResult>;
}

/** Each activity works for one account: row-level security hides the rows of all others. */
function confined(activities: Activities): Activities {
  const within =
    <Input extends ProcessInput, Result>(activity: (input: Input) => Promise<Result>) =>
    (input: Input) =>
      asAccount(input.accountId, () => activity(input));
  return {
    advanceSubscription: within(activities.advanceSubscription),
    advanceEstimate: within(activities.advanceEstimate),
    advanceInvoice: within(activities.advanceInvoice),
    advanceCharge: within(activities.advanceCharge),
    runAttempt: within(activities.runAttempt),
    settleAttempt: within(activities.settleAttempt),
    pumpWebhook: within(activities.pumpWebhook),
    pumpMail: within(activities.pumpMail),
    advanceClock: within(activities.advanceClock),
    reportProblem: within(activities.reportProblem),
  };
}

async function counted({ metrics, poke }: WorkerDeps, attempt: Promise<void>): Promise<void> {
  try {
    await attempt;
    metrics?.attempted('done');
  } catch (error) {
    metrics?.attempted('failed');
    throw error;
  } finally {
    poke();
  }
}

const BEAT_MILLISECONDS = 2000;

/**
 * Sends heartbeats while it works, so that another worker takes over within seconds after this one dies. A heartbeat carries the number of
 * earlier failures to the next retry.
 */
async function beating<Result>(work: () => Promise<void>, then: () => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const earlier: unknown = context.info.heartbeatDetails;
  context.heartbeat(earlier);
  const beat = setInterval(() => context.heartbeat(earlier), BEAT_MILLISECONDS);
  try {
    await work();
    return await then();
  } catch (error) {
    const failure = classified(error);
    const { failures, isOver } = failuresWith(earlier, failure.type);
    context.heartbeat(failures);
    throw isOver ? ApplicationFailure.nonRetryable(failure.message, STEP_FAILED) : failure;
  } finally {
    clearInterval(beat);
  }
}
