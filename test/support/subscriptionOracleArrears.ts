import { couponsIn, type InvoiceKind, type Line, withUsed } from './subscriptionOracleInvoice.ts';
import { type Bill, issue } from './subscriptionOracleIssue.ts';
import { type Period, shareOf } from './subscriptionOraclePeriods.ts';
import { partLine, wholeLines } from './subscriptionOracleProration.ts';
import { beganActive, nextPeriod, type State, type Stretch } from './subscriptionOracleState.ts';
import {
  activeCoupons,
  type Component,
  componentById,
  componentsOf,
  sameComponent,
  withComponentOf,
} from './subscriptionOracleTerms.ts';

// Bills in arrears of the oracle of subscriptions: a line per component and stretch between changes.

/** Time in which a component billed the same. */
interface Piece {
  from: number;
  to: number;
  component: Component;
}

/**
 * Bills the next period at its end. One that began during a pause is skipped. One that was paused as soon as it had begun has a bill of zero.
 * Neither is a cycle.
 */
export function billArrears(state: State): void {
  const period = nextPeriod(state);
  const n = state.next;
  const isShort = period.wholeStart < period.start;
  const used = activeCoupons(state.terms);
  const lines = linesUntil(state, period, period.end);
  state.next += 1;
  if (lines.length === 0 && !beganActive(state, period.start)) return;
  const billed = lines.length > 0 ? lines : unusedLines(state, period);
  issue(state, { kind: 'period', n, date: period.end, period }, billOf(state, billed, period));
  if (lines.length === 0) return;
  if (!isShort && state.cyclesLeft !== null) state.cyclesLeft -= 1;
  if (!isShort || state.choices.shortPeriodUsesCoupon) useCoupons(state, used);
}

function unusedLines(state: State, { start }: Period): Line[] {
  const none = { share: shareOf(0, 1), state };
  return componentsOf(state.terms).map((component) => partLine(component, { start, end: start }, none));
}

function useCoupons(state: State, used: Parameters<typeof withUsed>[1]): void {
  replaceTerms(state, withUsed(state.terms, used, state.choices));
}

/** Bills the part of the next period before an instant, or the whole of it, and all pending lines. */
export function closeArrears(state: State, at: number, close: { kind: InvoiceKind; whole: boolean }): void {
  const period = nextPeriod(state);
  const lines = at > period.start ? linesUntil(state, period, close.whole ? period.end : at) : [];
  const span = { start: period.start, end: at };
  issue(state, { kind: close.kind, n: null, date: at, period: span }, billOf(state, lines, period));
  const isCycle = state.choices.closingUsesCycle && lines.length > 0 && period.wholeStart === period.start;
  if (isCycle && state.cyclesLeft !== null) state.cyclesLeft -= 1;
  if (isCycle) useCoupons(state, activeCoupons(state.terms));
}

/** Replaces the terms without beginning a stretch. */
export function replaceTerms(state: State, terms: Terms): void {
  state.terms = terms;
  const last = state.stretches.at(-1);
  if (last) last.terms = terms;
}

/** Replaces each component that the terms change, in all stretches since it changed before. Begins no stretch. */
export function replaceComponents(state: State, after: Terms): void {
  const before = state.terms;
  const ids = new Set([...componentsOf(before), ...componentsOf(after)].map(({ id }) => id));
  for (const id of ids) {
    const was = componentById(before, id);
    if (sameComponent(was, componentById(after, id))) continue;
    for (const stretch of state.stretches.toReversed()) {
      if (!sameComponent(componentById(stretch.terms, id), was)) break;
      stretch.terms = withComponentOf(stretch.terms, id, after);
    }
  }
  replaceTerms(state, after);
}

/** Begins a stretch. */
export function beginStretch(state: State, from: number, terms: Terms): void {
  state.terms = terms;
  const active = state.pausedSince === null;
  const last = state.stretches.at(-1);
  const isAfterSteps = !active && last?.from === from && last.isAfterSteps;
  state.stretches.push({ from, terms, active, ...(isAfterSteps ? { isAfterSteps } : {}) });
}

type Terms = State['terms'];

function billOf({ terms, choices, sold }: State, lines: Line[], { start, end, wholeStart }: Period): Bill {
  const share = shareOf(end - start, end - wholeStart);
  return { lines, coupons: couponsIn(activeCoupons(terms), { share, choices, currency: sold.currency }) };
}

function linesUntil(state: State, period: Period, to: number): Line[] {
  const pieces = piecesOf(state, period, to);
  const ids = [...new Set(pieces.map(({ component }) => component.id))];
  return ids.flatMap((id) =>
    joined(
      pieces.filter(({ component }) => component.id === id),
      state,
    )
      .filter(isLasting)
      .flatMap((piece) => linesOf(state, period, piece)),
  );
}

const isLasting = ({ from, to }: Piece) => from < to;

function linesOf(state: State, period: Period, { from, to, component }: Piece): Line[] {
  const span = { start: from, end: to };
  if (from === period.wholeStart && to === period.end) return wholeLines(component, span, state.choices);
  const share = shareOf(to - from, period.end - period.wholeStart);
  return [partLine(component, span, { share, state })];
}

/** The components of each stretch inside a period, in order of time. */
function piecesOf(state: State, period: Period, end: number): Piece[] {
  const { stretches, choices } = state;
  const endOf = (index: number) => stretches[index + 1]?.from ?? Number.POSITIVE_INFINITY;
  const isActive = (stretch: Stretch) => {
    if (choices.arrearsPause === 'stretch') return stretch.active;
    if (choices.arrearsPause === 'stretchOfStarted' && !stretch.active) return false;
    return beganActive(state, period.start);
  };
  return stretches.flatMap((stretch, index) => {
    const [from, to] = [Math.max(stretch.from, period.start), Math.min(endOf(index), end)];
    if (from > to || !isActive(stretch)) return [];
    const all = componentsOf(stretch.terms).map((component) => ({ from, to, component }));
    return choices.stretches === 'ofChange' ? all : all.filter(isLasting);
  });
}

/** Joins adjacent pieces that bill the same. */
function joined(pieces: readonly Piece[], { choices }: State): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    const joins = choices.stretches !== 'ofSubscription' && last?.to === piece.from;
    if (last && joins && sameComponent(last.component, piece.component)) last.to = piece.to;
    else all.push({ ...piece });
  }
  return all;
}
