import { reasonOf } from '../billing/wait.ts';
import { isWronglySuppressed, liftWrongSuppression } from '../commands/bounces/suppressions.ts';
import { auditSigner, endOldMonths } from '../commands/kernel/auditChain.ts';
import { reportToTeam } from '../commands/mail/problemMails.ts';
import { closeWaitingMail, reportWaitingMail } from '../commands/mail/waitingMail.ts';
import type { Cipher, FileStore } from '../commands/ports/ports.ts';
import type { EntityManager } from '../db/orm.ts';
import { forgetBuckets } from '../db/queries/accounts/rateLimits.ts';
import { openMonths } from '../db/queries/audit/chain.ts';
import { noteChecked, uncheckedSuppressions } from '../db/queries/bounces/bounces.ts';
import { eventsWithSecrets, forgetClientSecrets } from '../db/queries/charges/gatewayEvents.ts';
import { CLOCKS_START, type ClockPosition, sweepAdvancing, sweepIdleClocks } from '../db/queries/clocks/clocks.ts';
import { claimDueBytes, forgetBytes } from '../db/queries/files/files.ts';
import { deleteExpired } from '../db/queries/processes/expired.ts';
import { forgetProgress, noteProgress } from '../db/queries/processes/queues.ts';
import {
  keepSweep,
  longOverdue,
  sweepAttempts,
  sweepGatewayEvents,
  sweepPumps,
  sweepWakeups,
} from '../db/queries/processes/sweep.ts';
import { movedMail, sentTables, waitingMail } from '../db/queries/processes/waitingMail.ts';
import { deriveMovements } from '../db/queries/reports/revenue.ts';
import { forgetDeliveries } from '../db/queries/webhooks/deliveries.ts';
import { withAccount } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { waitInWords } from '../present/processes/process.ts';
import { type Bell, createBell } from './bell.ts';
import type { Connection } from './connection.ts';
import type { Log } from './deps.ts';
import type { QueueProgress } from './queueProgress.ts';

export interface SweepDeps {
  em: EntityManager;
  open: () => Promise<Connection>;
  systemNow: () => Date;
  log: Log;
  poke: () => void;
  fileStore: FileStore;
  cipher: Cipher;
  /** Milliseconds for which webhook deliveries are kept; absent: forever. */
  deliveryHistory?: number | undefined;
  /** The waits of items that this process has served. */
  progress?: QueueProgress;
  /** Position of this process in the list of idle clocks. */
  clocks?: { after: ClockPosition };
  /** Milliseconds from an attempt to its first look-up. */
  lookUpDelay: number;
  /** True while this worker takes no due work. */
  isPaused?: () => boolean;
  /** Milliseconds between sweeps. */
  sweepInterval: number;
  /** Work that is overdue by this many milliseconds is re-enqueued. */
  sweepAge: number;
  /** Work that is overdue by this many milliseconds becomes a problem; Infinity: never. */
  sweepProblemAge: number;
}

export interface Sweep {
  close(): Promise<void>;
}

const MOST_AT_ONCE = 1000;
/** One sweep deletes at most this many batches of each kind of row. */
const MOST_BATCHES = 20;
/** Maximum number of idle clocks that one sweep checks for due wake-ups. The next sweep continues after them. */
const MOST_CLOCKS = 5000;
/** Maximum number of overdue wake-ups that become problems in one sweep. */
const MOST_PROBLEMS = 20;
/** Maximum number of objects that one sweep deletes from the file store, in parallel. */
const MOST_BYTES = 20;
/** Maximum number of suppressions of earlier versions that one sweep checks. */
const MOST_SUPPRESSIONS = 500;
/** Maximum number of events of earlier versions that one sweep cleans. */
const MOST_EVENTS = 500;
/** Delay before a failed deletion is retried. */
const BYTES_AGAIN_MILLISECONDS = 600_000;
/** A rate limit bucket that was not used for this time is full again and needs no row. */
const FORGOTTEN_MILLISECONDS = 48 * 3_600_000;
/** Session lock that allows one sweep at a time over all worker processes. */
const SWEEP_LOCK = 7_262_003;

/** Finds processes that are overdue in real time and re-enqueues them, so that a lost wake delays nothing forever. */
export function startSweep(deps: SweepDeps): Sweep {
  const bell = createBell();
  const state = { stopping: false };
  const running = run({ clocks: { after: CLOCKS_START }, ...deps }, bell, state);
  return {
    async close() {
      state.stopping = true;
      bell.ring();
      await running;
    },
  };
}

async function run(deps: SweepDeps, bell: Bell, state: { stopping: boolean }): Promise<void> {
  while (!state.stopping) {
    await bell.rest(deps.sweepInterval);
    if (!state.stopping)
      await sweepOnce(deps).catch((error) => deps.log.warn({ reason: String(error) }, 'sweep failed'));
  }
}

/**
 * Runs one sweep, unless another is running. Returns the number of timed processes that it re-enqueued. A part that fails does not stop the
 * others. Only a sweep whose parts all succeeded is recorded.
 */
export async function sweepOnce(deps: SweepDeps): Promise<number> {
  if (deps.isPaused?.()) return 0;
  const connection = await deps.open();
  try {
    const now = deps.systemNow();
    const part = parts(deps.log);
    await part.run('progress', () => noteProgress(connection, deps.progress?.take() ?? [], now));
    const [lock] = await connection.query<{ mine: boolean }>(`select pg_try_advisory_lock(${SWEEP_LOCK}) as mine`);
    if (!lock?.mine) return 0;
    const before = new Date(now.getTime() - deps.sweepAge);
    const overdue = { now, before, limit: MOST_AT_ONCE };
    const handed = (await part.run('wake-ups', () => sweepWakeups(connection, overdue))) ?? 0;
    const forgotten = new Date(before.getTime() - deps.lookUpDelay);
    await part.run('attempts', () => sweepAttempts(connection, { ...overdue, before: forgotten }));
    await part.run('gateway events', () => sweepGatewayEvents(connection, overdue));
    await part.run('pumps', () => sweepPumps(connection, { now, before }));
    await part.run('clocks', () => sweepAdvancing(connection, { now, before }));
    await part.run('idle clocks', () => sweepNextClocks(deps, connection, now));
    deps.poke();
    await reportOverdue({ deps, connection, now, part });
    await reportMail({ deps, connection, now, part });
    await cleanUp({ deps, connection, now, part });
    await keepAuditLog({ deps, connection, now, part });
    await recheckSuppressions({ deps, connection, now, part });
    await forgetSecrets({ deps, connection, now, part });
    if (part.isWhole()) await keepSweep(connection, now);
    if (handed > 0) deps.log.warn({ handed }, 'overdue processes woken again');
    return handed;
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Runs the parts of a sweep and counts their failures. */
interface Parts {
  /** Runs a part. Logs a failure and returns null. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result | null>;
  isWhole(): boolean;
}

function parts(log: Log): Parts {
  let failed = 0;
  return {
    async run(name, work) {
      try {
        return await work();
      } catch (error) {
        failed += 1;
        log.warn({ part: name, reason: String(error) }, 'part of a sweep failed');
        return null;
      }
    },
    isWhole: () => failed === 0,
  };
}

async function sweepNextClocks({ clocks }: SweepDeps, connection: Connection, now: Date): Promise<void> {
  const last = await sweepIdleClocks(connection, clocks?.after ?? CLOCKS_START, { now, limit: MOST_CLOCKS });
  if (clocks) clocks.after = last ?? CLOCKS_START;
}

interface Sweeping {
  deps: SweepDeps;
  connection: Connection;
  now: Date;
  part: Parts;
}

const earlier = (now: Date, milliseconds: number): Date => new Date(now.getTime() - milliseconds);

/** Opens the next months of the audit log, and ends those of more than two years ago. */
async function keepAuditLog({ deps, connection, now, part }: Sweeping): Promise<void> {
  await part.run('audit log', async () => {
    await openMonths(connection, now);
    const sign = await auditSigner(connection, deps.cipher);
    if (sign) await connection.transaction(() => endOldMonths(connection, sign, now));
  });
}

/** Deletes rows and bytes that are no longer needed. */
async function cleanUp({ deps, connection, now, part }: Sweeping): Promise<void> {
  await part.run('movements', () => inBatches((limit) => deriveMovements(connection, limit)));
  await part.run('expired', () => inBatches((limit) => deleteExpired(connection, { now, limit })));
  const { deliveryHistory } = deps;
  if (deliveryHistory) {
    const before = earlier(now, deliveryHistory);
    await part.run('deliveries', () => inBatches((limit) => forgetDeliveries(connection, { before, limit })));
  }
  await part.run('bytes', () => removeStrayBytes(deps, connection, now));
  const buckets = { before: earlier(now, FORGOTTEN_MILLISECONDS), limit: MOST_AT_ONCE };
  await part.run('buckets', () => forgetBuckets(connection, buckets));
  const longestLook = Math.max(deps.sweepAge, Number.isFinite(deps.sweepProblemAge) ? deps.sweepProblemAge : 0);
  await part.run('told progress', () => forgetProgress(connection, earlier(now, longestLook)));
}

/** Runs batches until one handles fewer than the limit, but at most `MOST_BATCHES`. `run` returns the number that it handled. */
async function inBatches(run: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await run(MOST_AT_ONCE)) < MOST_AT_ONCE) return;
  }
}

/** Deletes bytes that belong to no file. Failed deletions are retried in a later sweep. */
async function removeStrayBytes(deps: SweepDeps, connection: Connection, now: Date): Promise<void> {
  const againAt = new Date(now.getTime() + BYTES_AGAIN_MILLISECONDS);
  const due = await claimDueBytes(connection, { now, againAt, limit: MOST_BYTES });
  const removals = await Promise.allSettled(due.map(({ store_key }) => deps.fileStore.delete(store_key)));
  await forgetBytes(
    connection,
    due.filter((_, index) => removals[index]?.status === 'fulfilled'),
  );
  const failed = removals.find((removal) => removal.status === 'rejected');
  if (failed) deps.log.warn({ reason: String(failed.reason) }, 'bytes of deleted files could not be removed');
}

/** Reports work that has long been overdue as problems. Writes each separately, so that a failure does not affect the others. */
async function reportOverdue({ deps, connection, now, part }: Sweeping): Promise<void> {
  if (!Number.isFinite(deps.sweepProblemAge)) return;
  const late = {
    before: earlier(now, deps.sweepProblemAge),
    handedBefore: earlier(now, deps.sweepAge),
    limit: MOST_PROBLEMS,
  };
  const moved = earlier(now, deps.sweepProblemAge / 2);
  const found = await part.run('overdue', () => longOverdue(connection, { ...late, movedSince: moved }));
  for (const overdue of found ?? []) {
    const { accountId, process, subjectId: id } = overdue;
    const step = waitInWords({ step: overdue.step, reason: reasonOf(overdue) });
    const message = `overdue since ${new Date(overdue.at).toISOString()}`;
    const problem = { accountId, process, id, step, message };
    const write = () => inTransaction(deps.em, (em) => reportToTeam(em, problem, now));
    await part.run(`problem of ${process} ${id}`, () => withAccount(accountId, write));
  }
}

/** Reports mail and texts that wait while nothing of their account is sent, and closes such problems when they move again. */
async function reportMail({ deps, connection, now, part }: Sweeping): Promise<void> {
  if (!Number.isFinite(deps.sweepProblemAge)) return;
  const writing = (accountId: number, write: (em: EntityManager) => Promise<void>) =>
    part.run(`mail problem of account ${accountId}`, () => withAccount(accountId, () => inTransaction(deps.em, write)));
  const late = { before: earlier(now, deps.sweepProblemAge), movedSince: earlier(now, deps.sweepProblemAge / 2) };
  const looked = { ...late, now, limit: MOST_PROBLEMS };
  for (const table of sentTables) {
    for (const moved of (await part.run('moved mail', () => movedMail(connection, table, MOST_PROBLEMS))) ?? [])
      await writing(moved.accountId, (em) => closeWaitingMail(em, moved, now));
    const found = await part.run('waiting mail', () => waitingMail(connection, table, looked));
    for (const waiting of found ?? [])
      await writing(waiting.accountId, async (em) => reportWaitingMail(em, { ...waiting, table }, now));
  }
}

/** Checks suppressions of earlier versions once, by the status code in their words: wrong ones are lifted, each in a transaction of its own. */
async function recheckSuppressions({ deps, connection, now, part }: Sweeping): Promise<void> {
  const found = await part.run('suppressions', () => uncheckedSuppressions(connection, MOST_SUPPRESSIONS));
  const writing = (accountId: number, write: (em: EntityManager) => Promise<void>) =>
    part.run(`suppressions of account ${accountId}`, () => withAccount(accountId, () => inTransaction(deps.em, write)));
  for (const [accountId, ofAccount] of Map.groupBy(found ?? [], (one) => one.accountId)) {
    const ids = ofAccount.filter((one) => !isWronglySuppressed(one)).map(({ id }) => id);
    if (ids.length > 0) await writing(accountId, (em) => noteChecked(em, { accountId, ids }));
    for (const one of ofAccount.filter(isWronglySuppressed))
      await writing(accountId, (em) => liftWrongSuppression(em, one, now));
  }
}

/** Takes client secrets out of the events that earlier versions stored. */
async function forgetSecrets({ deps, connection, part }: Sweeping): Promise<void> {
  const found = await part.run('client secrets', () => eventsWithSecrets(connection, MOST_EVENTS));
  for (const [accountId, events] of Map.groupBy(found ?? [], (one) => one.accountId)) {
    const ids = events.map(({ id }) => id);
    const clean = () => inTransaction(deps.em, (em) => forgetClientSecrets(em, { accountId, ids }));
    await part.run(`client secrets of account ${accountId}`, () => withAccount(accountId, clean));
  }
}
