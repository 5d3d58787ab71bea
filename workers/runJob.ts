import { Context } from '@temporalio/activity';
import { FileStoreAway } from '../billing/failures.ts';
import { Refusal } from '../billing/refusal.ts';
import { removeBytes, storeBytes } from '../commands/files/strayBytes.ts';
import { isResumed, RunOver } from '../commands/jobs/bulkWork.ts';
import { LONGEST_RUN } from '../commands/jobs/jobs.ts';
import {
  type Claim,
  claimJob,
  failJob,
  finishJob,
  type JobRun,
  noteDone,
  putBack,
  workOf,
} from '../commands/jobs/running.ts';
import { failpoint } from '../db/failpoint.ts';
import { describeFailure, isUnavailable } from '../db/failure.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import { classified } from './steps.ts';

/** Time between two heartbeats, after which the job also learns that it was canceled. */
const BEAT_MILLISECONDS = 1000;
/** Number of tries, after which a failure other than an outage ends the job. */
const TRIES = 3;

type Deps = Pick<WorkerDeps, 'em' | 'systemNow' | 'fileStore' | 'poke' | 'log' | 'listCsv'>;
type Claimed = Extract<Claim, { state: 'runs' }>;

/** Takes a job and does its work, if its account runs no other one. After a crash the work begins anew, acts go on, and one file is left. */
export async function runJob(deps: Deps, { accountId, id }: ProcessInput): Promise<ActivityResult> {
  const claim = await inTransaction(deps.em, (em) => claimJob(em, { accountId, id }, deps.systemNow()));
  deps.poke();
  if (claim.state === 'over') return resultOf([]);
  if (claim.state === 'waits') return { ...resultOf([]), wakeAt: claim.wakeAt, next: 'its turn' };
  const run = { accountId, id, run: claim.run };
  const watch = watchOf(deps, run);
  try {
    const did = await work(deps, run, { claim, watch });
    return resultOf([did]);
  } catch (error) {
    if (error instanceof RunOver) return resultOf(['stopped: the run is over']);
    if (watch.isTooLong() && !watch.isOver() && isResumed(claim.input)) {
      await inTransaction(deps.em, (em) => putBack(em, run, deps.systemNow()));
      return { ...resultOf(['acted on a part of the objects']), more: true };
    }
    return resultOf([await afterFailure(deps, run, { error, watch })]);
  } finally {
    await watch.end();
    deps.poke();
  }
}

function resultOf(did: string[]): ActivityResult {
  return { did, wakeAt: null, next: null, more: false, call: null };
}

interface Watch {
  /** Aborted when the run is not wanted any more: canceled, too long, or this worker stops. */
  signal: AbortSignal;
  /** Whether the job itself is over. */
  isOver(): boolean;
  isTooLong(): boolean;
  note(done: number, refused?: number): void;
  end(): Promise<void>;
}

/** Sends heartbeats and notes how far a run is, until it ends. */
function watchOf(deps: Deps, run: JobRun): Watch {
  const context = Context.current();
  const stop = new AbortController();
  const state = { done: 0, refused: 0, isOver: false, isTooLong: false };
  const started = performance.now();
  let noting = Promise.resolve();
  let isNoting = false;
  const note = async (): Promise<void> => {
    const { done, refused } = state;
    const isWanted = await inTransaction(deps.em, (em) => noteDone(em, { ...run, done, refused }, deps.systemNow()));
    if (!isWanted) state.isOver = true;
    state.isTooLong ||= performance.now() - started > LONGEST_RUN;
    if (state.isOver || state.isTooLong) stop.abort();
  };
  context.heartbeat();
  const beat = setInterval(() => {
    context.heartbeat();
    if (isNoting) return;
    isNoting = true;
    noting = note()
      .catch((error: unknown) =>
        deps.log.warn({ ...run, reason: describeFailure(error) }, 'a job could not note its progress'),
      )
      .finally(() => {
        isNoting = false;
      });
  }, BEAT_MILLISECONDS);
  return {
    signal: AbortSignal.any([stop.signal, context.cancellationSignal]),
    isOver: () => state.isOver,
    isTooLong: () => state.isTooLong,
    note: (done, refused = 0) => {
      Object.assign(state, { done, refused });
    },
    async end() {
      clearInterval(beat);
      await noting;
    },
  };
}

/** Does the work, stores the file outside of any transaction, and ends the job. Returns what it did, in words. */
async function work(deps: Deps, run: JobRun, { claim, watch }: { claim: Claimed; watch: Watch }): Promise<string> {
  const { em, systemNow } = deps;
  const { accountId } = run;
  const { signal, note: progress } = watch;
  const { listCsv, log } = deps;
  const warn = (error: unknown, about: object) =>
    log.error({ ...run, ...about, err: error }, 'a job could not act on an object');
  const running = { ...claim, em, accountId, id: run.id, signal, progress, systemNow, listCsv, warn };
  const { name, rows, bytes } = await workOf(running);
  try {
    signal.throwIfAborted();
    const stray = await storeBytes(deps, { accountId, bytes }, systemNow());
    await failpoint('job.stored');
    const result = { name, type: bytes.type, size: bytes.size, rows, stray };
    if (await inTransaction(em, (inner) => finishJob(inner, { ...run, result }, systemNow())))
      return `wrote ${rows} rows`;
    await removeBytes(deps, stray);
    return 'left no file: nobody may have it any more';
  } finally {
    await bytes.close();
  }
}

/** Ends the job after a permanent failure. Throws a transient one: the activity tries again. Returns what it did, in words. */
async function afterFailure(
  deps: Deps,
  run: JobRun,
  { error, watch }: { error: unknown; watch: Watch },
): Promise<string> {
  if (watch.isOver()) return 'was canceled';
  const { info, cancellationSignal } = Context.current();
  const reason = watch.isTooLong() ? `It took longer than ${LONGEST_RUN / 60_000} minutes` : reasonOf(error);
  const isCutOff = cancellationSignal.aborted || error instanceof FileStoreAway;
  if (reason === null && isCutOff) await inTransaction(deps.em, (em) => putBack(em, run, deps.systemNow()));
  if (reason === null && (isCutOff || isUnavailable(error) || info.attempt < TRIES)) throw classified(error);
  if (reason === null) deps.log.error({ ...run, reason: describeFailure(error) }, 'a job failed');
  const said = reason ?? 'It failed three times for a reason that is not in its request. The log of the worker has it';
  await inTransaction(deps.em, (em) => failJob(em, { ...run, reason: said }, deps.systemNow()));
  return `failed: ${said}`;
}

const reasonOf = (error: unknown): string | null => (error instanceof Refusal ? error.message : null);
