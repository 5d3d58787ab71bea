import { beginStretch, closeArrears } from './subscriptionOracleArrears.ts';
import { creditAll } from './subscriptionOracleProration.ts';
import {
  beganActive,
  isArrears,
  nextPeriod,
  openSegment,
  type ResumeMode,
  type State,
} from './subscriptionOracleState.ts';

// Pauses of the oracle of subscriptions.

/** Begins a pause that was planned for this instant. */
export function pause(state: State): void {
  state.pausedSince = state.now;
  state.lastChange = state.now;
  state.pauseAt = null;
  beginStretch(state, state.now, state.terms);
}

/** Pauses at once, or changes the end of a pause. Absent fields of a pause that has begun stay. */
export function pauseByRequest(state: State, { resumeAt, resumeMode }: PauseAsked): void {
  if (state.pausedSince !== null) {
    state.resumeAt = resumeAt ?? state.resumeAt;
    state.resumeMode = resumeMode ?? state.resumeMode;
    return;
  }
  pause(state);
  const last = state.stretches.at(-1);
  if (last) last.isAfterSteps = true;
  state.resumeAt = resumeAt ?? null;
  state.resumeMode = resumeMode ?? 'continue';
}

interface PauseAsked {
  resumeAt?: number;
  resumeMode?: ResumeMode;
}

/**
 * `continue`: the next period is the first that begins at or after the resume. `new`: a new segment begins, unless the present one begins
 * just then.
 */
export function resume(state: State, asked: ResumeMode): void {
  if (state.pausedSince === null) throw new Error('not paused');
  const { now } = state;
  const isOver = state.choices.resumeNewWithoutCycle === 'continue' && !hasCycleToBegin(state);
  const mode = isOver || state.schedule.anchor === now ? 'continue' : asked;
  if (mode === 'new' && isArrears(state)) closeArrears(state, now, { kind: 'closing', whole: false });
  state.pausedSince = null;
  state.lastChange = now;
  state.resumeAt = null;
  state.billableSince = now;
  beginStretch(state, now, state.terms);
  if (mode === 'new') {
    if (state.choices.resumeNewCredits) creditAll(state, now);
    openSegment(state, now, state.terms.plan);
  } else if (!isArrears(state)) {
    while (nextPeriod(state).start < now) state.next += 1;
  }
}

/** Whether a cycle of the term has not begun. In arrears, the one in progress has. */
function hasCycleToBegin(state: State): boolean {
  const { cyclesLeft } = state;
  if (cyclesLeft === null) return true;
  const { start, wholeStart } = nextPeriod(state);
  const hasBegun = isArrears(state) && start <= state.now && wholeStart === start && beganActive(state, start);
  return cyclesLeft > (hasBegun ? 1 : 0);
}

/** A term that waits for its renewal is not paused, and pauses no more. */
export function endPause(state: State): void {
  const wasPaused = state.pausedSince !== null;
  state.pausedSince = null;
  state.pauseAt = null;
  state.resumeAt = null;
  if (wasPaused) beginStretch(state, state.now, state.terms);
}
