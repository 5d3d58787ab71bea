import { Context } from '@temporalio/activity';
import {
  type ClockStop,
  isBusy,
  leftInWords,
  type Round,
  stopClock,
  takeClockRound,
} from '../commands/clocks/rounds.ts';
import { failpoint } from '../db/failpoint.ts';
import { describeFailure, isCanceled, isLockTimeout, isUnavailable } from '../db/failure.ts';
import type { EntityManager } from '../db/orm.ts';
import {
  type ClockWork,
  enqueueDue,
  enqueueDueMail,
  enqueueDueTexts,
  readClockWork,
} from '../db/queries/clocks/clocks.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { Bell } from './bell.ts';
import { pauseOf } from './clockPause.ts';
import { progressOf } from './clockProgress.ts';
import type { WorkerDeps } from './deps.ts';
import { classified } from './steps.ts';

const BEAT_MILLISECONDS = 2000;
/** Time limit of one activity. Then other clocks get its place. */
const LONGEST_MILLISECONDS = 60_000;
/** The time limit while another clock of the account waits for a place. */
const WANTED_MILLISECONDS = 2000;
/** Maximum rest between two looks. Polls for changes in other processes, which do not ring here. */
const REST_MILLISECONDS = 40;
/** After this time without progress, wake-ups are enqueued again, because some may have been lost. */
const LOST_MILLISECONDS = 5000;
/** Number of tries, after which a failure other than an unavailable database stops the clock. */
const TRIES = 3;

export type ClockDeps = Pick<WorkerDeps, 'em' | 'systemNow' | 'clocks' | 'poke' | 'clockPatience' | 'lookUpDelay'>;

/** One activity of a clock. */
interface Advancing {
  deps: ClockDeps;
  input: ProcessInput;
  bell: Bell;
  /** Aborted when Temporal has canceled this activity. By then, another one may be running. */
  signal: AbortSignal;
  /** Whether another clock of the account waits for its place. */
  isWanted: () => boolean;
  /** Ordinal of the clock's advance when it was last read; null: not read yet. */
  advance: number | null;
}

/**
 * Moves a clock from due time to due time, each time after waiting until no work is left. Ends at the target, when the clock is stopped, or
 * at the time limit of one activity.
 */
export async function advanceClock(
  deps: ClockDeps,
  input: ProcessInput,
  isWanted = () => false,
): Promise<ActivityResult> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MILLISECONDS);
  const bell = deps.clocks.enter();
  const advancing = { deps, input, bell, signal: context.cancellationSignal, isWanted, advance: null };
  try {
    return await takeRounds(advancing);
  } catch (error) {
    context.cancellationSignal.throwIfAborted();
    if (isUnavailable(error) || context.info.attempt < TRIES) throw classified(error);
    return await stop(advancing, { reason: describeFailure(error) });
  } finally {
    deps.clocks.leave(bell);
    clearInterval(beat);
  }
}

async function takeRounds(advancing: Advancing): Promise<ActivityResult> {
  const { deps, input } = advancing;
  const started = performance.now();
  for (let rounds = 0; ; rounds++) {
    const stuck = await untilIdle(advancing);
    if (stuck) return stop(advancing, stuck);
    if (deps.clocks.isClosing) return resultOf([], true);
    const round = await inTransaction(deps.em, (em) => takeClockRound(em, input, deps.systemNow()));
    deps.poke();
    if (round === 'moved') await failpoint('clock.moved');
    if (isEnd(round)) return resultOf([`${rounds} rounds, ${round}`], false);
    const longest = advancing.isWanted() ? WANTED_MILLISECONDS : LONGEST_MILLISECONDS;
    if (performance.now() - started > longest) return resultOf([`${rounds} rounds`], true);
  }
}

function isEnd(round: Round): boolean {
  return round === 'arrived' || round === 'stopped' || round === 'over';
}

/** The reason to stop a clock, and a check whether the reason still holds. */
type Stuck = Pick<ClockStop, 'reason' | 'holds'>;

/** Waits until no work is left at the clock's time. Returns a reason to stop the clock if there was no progress for too long. */
async function untilIdle(advancing: Advancing): Promise<Stuck | null> {
  const { deps, input, bell, signal } = advancing;
  const isProgress = progressOf();
  let since = performance.now();
  let enqueuedAt = since;
  for (;;) {
    bell.heed();
    signal.throwIfAborted();
    const work = await readClockWork(deps.em.fork(), input, deps.systemNow());
    if (work) advancing.advance = work.advance;
    if (!work || work.problem !== null || !isBusy(work) || deps.clocks.isClosing) return null;
    const now = performance.now();
    if (isProgress(work)) {
      since = now;
      enqueuedAt = now;
    }
    const patience = patienceWith(deps, work);
    if (now - since > patience)
      return { reason: `${leftInWords(work)} for ${patience / 1000} s`, holds: (later) => !isProgress(later) };
    if (now - enqueuedAt > LOST_MILLISECONDS) {
      enqueuedAt = now;
      await enqueueDue(deps.em.fork(), input, deps.systemNow());
      await enqueueDueMail(deps.em.fork(), input, deps.systemNow());
      await enqueueDueTexts(deps.em.fork(), input, deps.systemNow());
      deps.poke();
    }
    await deps.clocks.pause(pauseOf(work), signal);
    await bell.rest(REST_MILLISECONDS);
  }
}

/** Milliseconds to wait for progress. An attempt without an outcome is looked up only after `lookUpDelay`, so it extends the time. */
function patienceWith({ clockPatience, lookUpDelay }: ClockDeps, work: ClockWork): number {
  return work.attempts > 0 ? clockPatience + lookUpDelay : clockPatience;
}

/** Stops the clock. This may wait for a lock on its row. If the reason no longer holds by then, the process looks again. */
async function stop({ deps, input, signal, advance }: Advancing, { reason, holds }: Stuck): Promise<ActivityResult> {
  const work = async (em: EntityManager) => {
    const stopped = await stopClock(em, { ...input, reason, advance, ...(holds ? { holds } : {}) }, deps.systemNow());
    signal.throwIfAborted();
    return stopped;
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      const stopped = await inTransaction(deps.em, work);
      return stopped ? resultOf([`stopped: ${reason}`], false) : resultOf([], true);
    } catch (error) {
      // Steps that wait for a lock also hold a lock on the clock's row until they time out. A retry of the activity would wait anew.
      if (deps.clocks.isClosing || !(isLockTimeout(error) || isCanceled(error))) throw error;
    }
  }
}

function resultOf(did: string[], more: boolean): ActivityResult {
  return { did, wakeAt: null, next: null, more, call: null };
}
