import { couponsIn, type InvoiceKind, type Line, withUsed } from './subscriptionOracleInvoice.ts';
import { type Period, shareOf } from './subscriptionOraclePeriods.ts';
import { partLine, wholeLines } from './subscriptionOracleProration.ts';
import { type Bill, issue, nextPeriod, type State, type Stretch } from './subscriptionOracleState.ts';
import { activeCoupons, type Component, componentsOf, sameComponent } from './subscriptionOracleTerms.ts';

// Bills in arrears of the oracle of subscriptions: a line per component and stretch between changes.

/** Time in which a component billed the same. */
interface Piece {
  from: number;
  to: number;
  component: Component;
}

/** Bills the next period at its end. A period that was paused throughout is skipped, and is no cycle. */
export function billArrears(state: State): void {
  const period = nextPeriod(state);
  const n = state.next;
  const isShort = period.wholeStart < period.start;
  const used = activeCoupons(state.terms);
  const lines = linesUntil(state, period, period.end);
  state.next += 1;
  if (lines.length === 0) return;
  issue(state, { kind: 'period', n, date: period.end, period }, billOf(state, lines, period));
  if (!isShort && state.cyclesLeft !== null) state.cyclesLeft -= 1;
  if (!isShort || state.choices.shortPeriodUsesCoupon) replaceTerms(state, withUsed(state.terms, used, period.start));
}

/** Bills the part of the next period before an instant, or the whole of it, and all pending lines. */
export function closeArrears(state: State, at: number, close: { kind: InvoiceKind; whole: boolean }): void {
  const period = nextPeriod(state);
  const lines = at > period.start ? linesUntil(state, period, close.whole ? period.end : at) : [];
  const span = { start: period.start, end: at };
  issue(state, { kind: close.kind, n: null, date: at, period: span }, billOf(state, lines, period));
}

/** Replaces the terms without beginning a stretch. */
export function replaceTerms(state: State, terms: Terms): void {
  state.terms = terms;
  const last = state.stretches.at(-1);
  if (last) last.terms = terms;
}

/** Begins a stretch. */
export function beginStretch(state: State, from: number, terms: Terms): void {
  state.terms = terms;
  state.stretches.push({ from, terms, active: state.pausedSince === null });
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
    ).flatMap((piece) => linesOf(state, period, piece)),
  );
}

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
    const first = stretches.findIndex((_, index) => endOf(index) > period.start);
    return stretches[first]?.active === true;
  };
  return stretches.flatMap((stretch, index) => {
    const [from, to] = [Math.max(stretch.from, period.start), Math.min(endOf(index), end)];
    if (from >= to || !isActive(stretch)) return [];
    return componentsOf(stretch.terms).map((component) => ({ from, to, component }));
  });
}

/** Joins adjacent pieces that bill the same. */
function joined(pieces: readonly Piece[], { choices }: State): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    const joins = choices.stretches === 'ofComponent' && last?.to === piece.from;
    if (last && joins && sameComponent(last.component, piece.component)) last.to = piece.to;
    else all.push({ ...piece });
  }
  return all;
}
