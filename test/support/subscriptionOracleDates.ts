import type { Period } from './subscriptionOraclePeriods.ts';
import { refuseIf } from './subscriptionOracleRefused.ts';
import { beganActive, isArrears, isBeforeAnchor, periodAt, type State } from './subscriptionOracleState.ts';

// Dates from which a change of a subscription of the oracle may count.

type Span = Pick<Period, 'start' | 'end'>;

/**
 * The trial, or the period that has begun and not ended. Null before the start, while a term waits for its renewal, and between two periods:
 * in a period that begins during a pause, or in which a pause ended.
 */
export function currentPeriod(state: State): Span | null {
  const period = state.pendingRenewal ? null : periodAt(state, state.now);
  if (!period || isBeforeAnchor(state)) return period;
  const hasBegun = isArrears(state)
    ? beganActive(state, period.start)
    : state.billed.some(({ start, end }) => start === period.start && end === period.end);
  return hasBegun ? period : null;
}

/** The start of the current period, or its last change. Null: there is no current period. */
export function earliestProration(state: State): number | null {
  const period = currentPeriod(state);
  return period && Math.max(period.start, state.lastChange);
}

/** Refuses a date that is not between the current period's last change and now, and any date for a new interval. */
export function checkProrationDate(state: State, date: number | undefined, restarts: boolean): void {
  if (date === undefined) return;
  const earliest = earliestProration(state);
  const isOutside = earliest === null || date < earliest || date > state.now;
  refuseIf(restarts || isOutside, 'proration_date', 'not in the period');
}
