import { setTimeout as pause } from 'node:timers/promises';
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
import { type ClockWork, handOut, handOutMail, readClockWork } from '../db/queries/clocks/clocks.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ProcessInput, Turn } from '../workflows/process.ts';
import type { Bell } from './bell.ts';
import { progressOf } from './clockProgress.ts';
import type { WorkerDeps } from './deps.ts';
import { classified } from './steps.ts';

const BEAT_MILLISECONDS = 2000;
/** How long one activity goes on, as long as the clock moves: others wait for their turn. */
const TURN_MILLISECONDS = 60_000;
/** The same while another clock of the account waits for its place. */
const WANTED_MILLISECONDS = 2000;
/** Between two looks, for each thing that is left: many take longer, and looking should cost little of what they do. */
const PAUSE_MILLISECONDS = { each: 10, most: 250 };
/** How long it rests when nothing rings: what happens in another process rings there. */
const REST_MILLISECONDS = 40;
/** After so long without progress, wakes may have been lost. */
const LOST_MILLISECONDS = 5000;
/** What fails so often for another reason than the database's absence stops the clock. */
const TRIES = 3;

export type ClockDeps = Pick<WorkerDeps, 'em' | 'systemNow' | 'clocks' | 'poke' | 'clockPatience' | 'lookUpDelay'>;

/** One activity of a clock. */
interface Advancing {
  deps: ClockDeps;
  input: ProcessInput;
  bell: Bell;
  /** Aborted when Temporal has given the activity up: another one may be at work by then. */
  signal: AbortSignal;
  /** Whether another clock of the account waits for its place. */
  isWanted: () => boolean;
  /** Which advance of the clock it was last seen on; null: it has not been seen. */
  advance: number | null;
}

/** Moves a clock from instant to instant, each when all is quiet at the one before, until it arrives or something stops it. */
export async function advanceClock(deps: ClockDeps, input: ProcessInput, isWanted = () => false): Promise<Turn> {
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

async function takeRounds(advancing: Advancing): Promise<Turn> {
  const { deps, input } = advancing;
  const started = performance.now();
  for (let rounds = 0; ; rounds++) {
    const stuck = await untilQuiet(advancing);
    if (stuck) return stop(advancing, stuck);
    if (deps.clocks.isClosing) return turn([], true);
    const round = await inTransaction(deps.em, (em) => takeClockRound(em, input, deps.systemNow()));
    deps.poke();
    if (round === 'moved') await failpoint('clock.moved');
    if (isEnd(round)) return turn([`${rounds} rounds, ${round}`], false);
    const longest = advancing.isWanted() ? WANTED_MILLISECONDS : TURN_MILLISECONDS;
    if (performance.now() - started > longest) return turn([`${rounds} rounds`], true);
  }
}

function isEnd(round: Round): boolean {
  return round === 'arrived' || round === 'stopped' || round === 'over';
}

/** Why a clock is to stop, and whether that still holds. */
type Stuck = Pick<ClockStop, 'reason' | 'holds'>;

/** Waits until nothing is left to be done at the time of the clock; answers what still is when nothing has happened for too long. */
async function untilQuiet(advancing: Advancing): Promise<Stuck | null> {
  const { deps, input, bell, signal } = advancing;
  const isProgress = progressOf();
  let since = performance.now();
  let handedAt = since;
  for (;;) {
    bell.heed();
    signal.throwIfAborted();
    const work = await readClockWork(deps.em.fork(), input, deps.systemNow());
    if (work) advancing.advance = work.advance;
    if (!work || work.problem !== null || !isBusy(work) || deps.clocks.isClosing) return null;
    const now = performance.now();
    if (isProgress(work)) {
      since = now;
      handedAt = now;
    }
    const patience = patienceWith(deps, work);
    if (now - since > patience)
      return { reason: `${leftInWords(work)} for ${patience / 1000} s`, holds: (later) => !isProgress(later) };
    if (now - handedAt > LOST_MILLISECONDS) {
      handedAt = now;
      await handOut(deps.em.fork(), input, deps.systemNow());
      await handOutMail(deps.em.fork(), input, deps.systemNow());
      deps.poke();
    }
    await rest(bell, work);
  }
}

/** A charge without an answer is looked up by itself, later than a clock would wait for anything else. */
function patienceWith({ clockPatience, lookUpDelay }: ClockDeps, work: ClockWork): number {
  return work.attempts > 0 ? clockPatience + lookUpDelay : clockPatience;
}

async function rest(bell: Bell, work: ClockWork): Promise<void> {
  const left = work.wakes + work.due + work.attempts + work.emails;
  await pause(Math.min(PAUSE_MILLISECONDS.each * left, PAUSE_MILLISECONDS.most));
  await bell.rest(REST_MILLISECONDS);
}

/** Stops the clock. It may wait for its row meanwhile: when the reason no longer holds by then, the process looks again. */
async function stop({ deps, input, signal, advance }: Advancing, { reason, holds }: Stuck): Promise<Turn> {
  const work = async (em: EntityManager) => {
    const stopped = await stopClock(em, { ...input, reason, advance, ...(holds ? { holds } : {}) }, deps.systemNow());
    signal.throwIfAborted();
    return stopped;
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      const stopped = await inTransaction(deps.em, work);
      return stopped ? turn([`stopped: ${reason}`], false) : turn([], true);
    } catch (error) {
      // Steps that wait for somebody else hold the clock, too, until they give up. Another try of this activity would begin its patience anew.
      if (deps.clocks.isClosing || !(isLockTimeout(error) || isCanceled(error))) throw error;
    }
  }
}

function turn(did: string[], more: boolean): Turn {
  return { did, wakeAt: null, next: null, more, call: null };
}
