import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { runAttempt, settleAttempt } from '../commands/attempts.ts';
import { advanceCharge } from '../commands/chargeSteps.ts';
import { advanceEstimate } from '../commands/estimateSteps.ts';
import { advanceInvoice } from '../commands/invoiceSteps.ts';
import { reportProblem } from '../commands/problems.ts';
import { advanceSubscription } from '../commands/subscriptionSteps.ts';
import type { TimedProcess } from '../db/schema/wakeup.ts';
import { asAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Activities, ProcessInput } from '../workflows/process.ts';
import { advanceClock } from './clock.ts';
import type { WorkerDeps } from './deps.ts';
import { pumpMail } from './pumpMail.ts';
import { pumpWebhook } from './pumpWebhook.ts';
import { classified, failuresWith, STEP_FAILED, takeSteps } from './steps.ts';

const PROCESSES: readonly TimedProcess[] = ['subscription', 'estimate', 'invoice', 'charge'];

/** What workflows may ask for. Every one of them may run twice: the database refuses the second effect. */
export function createActivities(deps: WorkerDeps): Activities {
  const { lookUpDelay } = deps;
  return confined({
    advanceSubscription: (input) => takeSteps(deps, { process: 'subscription', input, step: advanceSubscription }),
    advanceEstimate: (input) => takeSteps(deps, { process: 'estimate', input, step: advanceEstimate }),
    advanceInvoice: (input) =>
      takeSteps(deps, {
        process: 'invoice',
        input,
        step: (em, key, systemNow) => advanceInvoice(em, { ...key, lookUpDelay }, systemNow),
      }),
    advanceCharge: (input) =>
      takeSteps(deps, {
        process: 'charge',
        input,
        step: (em, key, systemNow) => advanceCharge(em, { ...key, lookUpDelay }, systemNow),
      }),
    runAttempt: (input) => beating(() => counted(deps, runAttempt(deps, input))),
    settleAttempt: (input) => beating(() => counted(deps, settleAttempt(deps, input))),
    pumpWebhook: (input) => pumpWebhook(deps, input),
    pumpMail: (input) => pumpMail(deps, input),
    advanceClock: (input) => advanceClock(deps, input),
    reportProblem: (trouble) => {
      const process = PROCESSES.find((name) => name === trouble.process);
      if (!process) throw new Error(`no such process: ${trouble.process}`);
      return inTransaction(deps.em, (em) => reportProblem(em, { ...trouble, process }, deps.systemNow()));
    },
  });
}

/** Each activity does one account's work: the database shows it no other's rows. */
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

/** Heartbeats while it works: when its worker dies, another takes over within seconds. They carry the failures so far to the next try. */
async function beating(work: () => Promise<void>): Promise<void> {
  const context = Context.current();
  const earlier: unknown = context.info.heartbeatDetails;
  context.heartbeat(earlier);
  const beat = setInterval(() => context.heartbeat(earlier), BEAT_MILLISECONDS);
  try {
    await work();
  } catch (error) {
    const failure = classified(error);
    const { failures, isOver } = failuresWith(earlier, failure.type);
    context.heartbeat(failures);
    throw isOver ? ApplicationFailure.nonRetryable(failure.message, STEP_FAILED) : failure;
  } finally {
    clearInterval(beat);
  }
}
