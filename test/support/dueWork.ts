import type { TimedProcess } from '../../billing/processes.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import type { AttemptTiming } from '../../commands/charges/newAttempt.ts';
import { advanceCharge } from '../../commands/charges/steps.ts';
import { advanceCadence } from '../../commands/chasing/cadenceSteps.ts';
import { advanceChasing } from '../../commands/chasing/steps.ts';
import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { advancePaymentSource } from '../../commands/customers/expiryNotice.ts';
import { advanceEstimate } from '../../commands/estimates/steps.ts';
import { claimJob } from '../../commands/jobs/running.ts';
import { advanceReportSchedule } from '../../commands/jobs/scheduleSteps.ts';
import type { ProcessKey, StepOutcome } from '../../commands/kernel/stepOutcome.ts';
import { advanceDigest } from '../../commands/mail/digestSteps.ts';
import { advancePayment } from '../../commands/payments/certainMatches.ts';
import { advanceSignUp } from '../../commands/signUps/steps.ts';
import { advanceStatements } from '../../commands/statements/scheduled.ts';
import { advanceSubscription } from '../../commands/subscriptions/steps/steps.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isKnownWakeup } from '../../db/schema/wakeup.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { TestApi } from './api.ts';

type Step = (em: EntityManager, key: ProcessKey & AttemptTiming, systemNow: Date) => Promise<StepOutcome>;

const STEPS: Readonly<Record<TimedProcess, Step>> = {
  subscription: advanceSubscription,
  estimate: advanceEstimate,
  invoice: advanceInvoice,
  charge: advanceCharge,
  payment_source: advancePaymentSource,
  chasing: advanceChasing,
  cadence: advanceCadence,
  statements: advanceStatements,
  digest: advanceDigest,
  payment: advancePayment,
  report_schedule: advanceReportSchedule,
  sign_up: advanceSignUp,
  job: async (em, key, systemNow) => {
    await claimJob(em, key, systemNow); // its work needs a worker
    return { did: null, wakeAt: null, next: null, more: false, call: null };
  },
};

/** A step of a process that was taken. `did`: the step in words; null: nothing was due. */
export interface TakenStep {
  process: TimedProcess;
  id: number;
  did: string | null;
}

export interface DueWork {
  accountId: number;
  /** The time of the API, UNIX seconds. */
  now(): number;
  /** Chooses among processes that are due at the same time; absent: the first one. */
  choose?(due: readonly Due[]): Due | undefined;
  /** Is called around each step; absent: it is taken, and nothing else. */
  around?(take: () => Promise<TakenStep>): Promise<void>;
}

/** Work whose time can be moved. */
export interface TimedWork extends DueWork {
  moveTo(seconds: number): void;
}

/** Rounds after which a process that is still due counts as stuck. */
const MOST_ROUNDS = 200;

/** Takes the steps of an account that are due now, as its processes would. Throws if they never end. */
export async function takeDueWork(api: TestApi, work: DueWork): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const due = await dueAt(api, work);
    const one = work.choose ? work.choose(due) : due[0];
    if (!one) return;
    const take = () => takeStep(api, work, one);
    await (work.around ? work.around(take) : take());
  }
  throw new Error(`still due after ${MOST_ROUNDS} steps: ${JSON.stringify(await dueAt(api, work))}`);
}

/** Moves the time from wake-up to wake-up and takes all steps that are due until then. */
export async function workUntil(api: TestApi, work: TimedWork, end: number): Promise<void> {
  for (;;) {
    await takeDueWork(api, work);
    if (work.now() >= end) return;
    const [next] = await rowsOf<{ at: number | null }>(
      api,
      'select extract(epoch from min(at))::float8 as at from wakeup where account_id = ? and at > to_timestamp(?)',
      [work.accountId, work.now()],
    );
    work.moveTo(Math.min(next?.at ?? end, end));
  }
}

/** A process with a wake-up that is due. */
export interface Due {
  process: TimedProcess;
  id: number;
}

/** The processes whose wake-up is the earliest one that is due. */
function dueAt(api: TestApi, { accountId, now }: DueWork): Promise<Due[]> {
  return rowsOf<Due>(
    api,
    `select distinct process, subject_id as id from wakeup w
     where account_id = ? and at <= to_timestamp(?) and ${isKnownWakeup('w')}
       and at = (select min(at) from wakeup k where account_id = ? and ${isKnownWakeup('k')})
     order by process, subject_id`,
    [accountId, now(), accountId],
  );
}

async function takeStep(api: TestApi, { accountId, now }: DueWork, { process, id }: Due): Promise<TakenStep> {
  const key = { accountId, id, lookUpDelay: api.deps.lookUpDelay };
  const at = new Date(now() * 1000);
  return withAccount(accountId, async () => {
    const { did, call } = await inTransaction(api.deps.em, (em) => STEPS[process](em, key, at));
    const callGateway = process === 'charge' ? settleAttempt : runAttempt;
    if (call !== null) await callGateway(api.deps, { accountId, id: call });
    return { process, id, did };
  });
}

/** Receives what the gateway tells about its charges, such as disputes. */
export async function hearGateway(api: TestApi, { accountId }: Pick<DueWork, 'accountId'>): Promise<void> {
  await api.gateway.sendEvents(api.origin);
  const charged = await rowsOf<{ id: number }>(
    api,
    `select id from attempt where account_id = ? and kind = 'charge' and state = 'succeeded' order by id`,
    [accountId],
  );
  for (const { id } of charged) await withAccount(accountId, () => settleAttempt(api.deps, { accountId, id }));
}

/** Runs a statement that sees all accounts. */
export function rowsOf<Row>({ em }: TestApi, sql: string, values: unknown[]): Promise<Row[]> {
  return em.fork().execute(sql, values);
}
