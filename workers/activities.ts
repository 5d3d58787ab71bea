import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type ProcessName, type TimedProcess, timedProcesses } from '../billing/processes.ts';
import { runAttempt, settleAttempt } from '../commands/charges/attempts.ts';
import type { AttemptTiming } from '../commands/charges/newAttempt.ts';
import { advanceCharge } from '../commands/charges/steps.ts';
import { advanceCadence } from '../commands/chasing/cadenceSteps.ts';
import { advanceChasing } from '../commands/chasing/steps.ts';
import { advanceInvoice } from '../commands/collection/invoiceSteps.ts';
import { advancePaymentSource } from '../commands/customers/expiryNotice.ts';
import { advanceEstimate } from '../commands/estimates/steps.ts';
import { advanceReportSchedule } from '../commands/jobs/scheduleSteps.ts';
import type { ProcessKey, StepOutcome } from '../commands/kernel/stepOutcome.ts';
import { advanceDigest } from '../commands/mail/digestSteps.ts';
import { reportToTeam } from '../commands/mail/problemMails.ts';
import { advancePayment } from '../commands/payments/certainMatches.ts';
import { advanceStatements } from '../commands/statements/scheduled.ts';
import { advanceSubscription } from '../commands/subscriptions/steps/steps.ts';
import { describeFailure } from '../db/failure.ts';
import type { EntityManager } from '../db/orm.ts';
import { withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Activities, ActivityResult, Call, ProcessInput, StepActivities } from '../workflows/process.ts';
import { advanceClock } from './clock.ts';
import type { WorkerDeps } from './deps.ts';
import { createGatewayShare } from './gatewayShare.ts';
import { statusOfClock } from './processStatus.ts';
import { pumpMail } from './pumpMail.ts';
import { pumpText } from './pumpText.ts';
import { pumpWebhook } from './pumpWebhook.ts';
import { runJob } from './runJob.ts';
import { runSignUp } from './runSignUp.ts';
import type { StepShare } from './stepShare.ts';
import { classified, failuresWith, STEP_FAILED, type Stepping, takeSteps } from './steps.ts';
import type { LongProcess, Turns } from './turns.ts';

/**
 * The activities that workflows call. Each may run twice, because the database refuses a second effect. Each ignores unknown input fields,
 * because a workflow of a later version may send them.
 */
export function createActivities(deps: WorkerDeps, turns: Turns, share: StepShare): Activities {
  const { lookUpDelay } = deps;
  /** Runs an activity for one account: row-level security hides the rows of all others. Logs it. */
  const forAccount =
    <Input extends ProcessInput, Result>(process: ProcessName, activity: (input: Input) => Promise<Result>) =>
    async (input: Input) => {
      if (deps.isPaused?.())
        throw ApplicationFailure.retryable("the clock of this worker's machine is wrong", 'WorkerPaused');
      return logged(deps, { process, input }, () => withAccount(input.accountId, () => activity(input)));
    };
  const stepping = (process: TimedProcess, step: Step) =>
    forAccount(process, (input) => {
      const timed: Stepping['step'] = (em, key, systemNow) => step(em, { ...key, lookUpDelay }, systemNow);
      return share.run(input.accountId, () => takeSteps(deps, { process, input, step: timed }));
    });
  const steps: StepActivities = {
    advanceSubscription: stepping('subscription', advanceSubscription),
    advanceEstimate: stepping('estimate', advanceEstimate),
    advanceInvoice: stepping('invoice', advanceInvoice),
    advanceCharge: stepping('charge', advanceCharge),
    advancePaymentSource: stepping('payment_source', advancePaymentSource),
    advanceChasing: stepping('chasing', advanceChasing),
    advanceCadence: stepping('cadence', advanceCadence),
    advanceStatements: stepping('statements', advanceStatements),
    advanceDigest: stepping('digest', advanceDigest),
    advancePayment: stepping('payment', advancePayment),
    advanceReportSchedule: stepping('report_schedule', advanceReportSchedule),
    advanceSignUp: forAccount('sign_up', (input) => runSignUp(deps, share, input)),
    advanceJob: forAccount('job', (input) => runJob(deps, input)),
  };
  const inTurn = (input: ProcessInput, { process, work }: LongWork): Promise<ActivityResult> =>
    turns.take({ process, ...input }, (isWanted) => work(deps, input, isWanted));
  /** Takes the next step of the process that waits for the call. Null: it failed, and the process takes the step itself. */
  const next = async (accountId: number, caller: Call['caller']): Promise<ActivityResult | null> =>
    caller ? steps[timedProcesses[caller.process].step]({ accountId, id: caller.id }).catch(() => null) : null;
  const gatewayShare = createGatewayShare();
  const callGateway = (work: (deps: WorkerDeps, key: ProcessKey) => Promise<unknown>) =>
    forAccount('charge', ({ accountId, id, caller }: Call) => {
      const call = () => counted(deps, work(deps, { accountId, id }));
      return gatewayShare.take(accountId, () => withHeartbeats(call, () => next(accountId, caller)));
    });
  return {
    ...steps,
    runAttempt: callGateway(runAttempt),
    settleAttempt: callGateway(settleAttempt),
    pumpWebhook: forAccount('webhook', (input) => inTurn(input, { process: 'webhook', work: pumpWebhook })),
    pumpMail: forAccount('mail', (input) => pumpMail(deps, input)),
    pumpText: forAccount('text', (input) => pumpText(deps, input)),
    advanceClock: forAccount('clock', async (input) => {
      const result = await inTurn(input, { process: 'clock', work: advanceClock });
      return { ...result, ...(await statusOfClock(deps, input)) };
    }),
    reportProblem: (trouble) => {
      const report = () => inTransaction(deps.em, (em) => reportToTeam(em, trouble, deps.systemNow()));
      return forAccount(trouble.process, report)(trouble);
    },
  };
}

/** Logs what an activity did, for whom, and how long it took. An activity that found nothing to do writes no line. */
async function logged<Result>(
  { log }: Pick<WorkerDeps, 'log'>,
  { process, input }: { process: ProcessName; input: ProcessInput },
  work: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const { accountId: account, id } = input;
  const line = (done: { did?: unknown; about?: unknown; failed?: string }) => {
    const milliseconds = Math.round((performance.now() - begun) * 10) / 10;
    log.info({ process, id, account, about: input.about, ...done, milliseconds }, 'step');
  };
  try {
    const result = await work();
    if (typeof result !== 'object' || result === null || !('did' in result)) line({});
    else if (!Array.isArray(result.did) || result.did.length > 0) line({ did: result.did, ...aboutOf(result) });
    return result;
  } catch (error) {
    line({ failed: describeFailure(error) });
    throw error;
  }
}

const aboutOf = (result: object) => ('about' in result ? { about: result.about } : {});

/** The command that takes the due step of a process. */
type Step = (em: EntityManager, key: ProcessKey & AttemptTiming, systemNow: Date) => Promise<StepOutcome>;

/** Work that may run for a minute. It ends sooner if another process of its account waits for a place. */
interface LongWork {
  process: LongProcess;
  work(deps: WorkerDeps, input: ProcessInput, isWanted: () => boolean): Promise<ActivityResult>;
}

/** Counts an attempt that was run or looked up. */
async function counted({ metrics, poke }: WorkerDeps, attempt: Promise<unknown>): Promise<void> {
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
 * Sends heartbeats while it runs `work`, so that another worker takes over within seconds if this one dies. Heartbeats pass the number of
 * failures on to the next retry. After too many failures of the step itself, the activity is not retried.
 */
async function withHeartbeats<Result>(work: () => Promise<void>, then: () => Promise<Result>): Promise<Result> {
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
