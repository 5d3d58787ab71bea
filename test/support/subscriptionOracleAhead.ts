import { type Invoice, isApplied, type Line, netOf, totalsOf } from './subscriptionOracleInvoice.ts';
import { payFromCredit } from './subscriptionOracleIssue.ts';
import { isBeforeAnchor, type State } from './subscriptionOracleState.ts';
import { minorText } from './subscriptionOracleTerms.ts';
import { decimalsOf } from './totalsOracle.ts';

// Periods that are billed ahead and open until they begin, in the oracle of subscriptions.

/** Takes back the bill of an open period that will not begin as it was billed. */
export function takeBackUnlessBegins(state: State): void {
  const { cyclesLeft, renewalMode, cancelAtPeriodEnd } = state;
  const renews = renewalMode === 'auto' || renewalMode === 'renew_once';
  const isEndless = cyclesLeft === null || isBeforeAnchor(state);
  const endsTerm = cyclesLeft === 0 && (cancelAtPeriodEnd || !renews || state.pendingChange !== null);
  const isPaused = state.pausedSince !== null || state.pauseAt !== null;
  if (isPaused || endsTerm || (cancelAtPeriodEnd && isEndless)) takeBackAhead(state);
}

/**
 * Takes back the bill of the open period: voids its invoice, or credits it by a credit note if something is applied to
 * it or it has other lines. Prorated changes of the period are undone.
 */
export function takeBackAhead(state: State): void {
  const { ahead } = state;
  if (!ahead) return;
  const { invoice, end } = ahead;
  state.ahead = null;
  state.next -= 1;
  state.billed = state.billed.filter((one) => one !== ahead);
  state.covers = state.covers.filter((cover) => cover.end !== end);
  const isOfPeriod = ({ kind, periodEnd }: Line) => (kind === 'charge' || kind === 'credit') && periodEnd === end;
  const billed = state.invoices.flatMap((one) =>
    one.voided ? [] : one.lines.filter(isOfPeriod).map(({ source }) => opposite(source, one)),
  );
  state.pending = state.pending.filter((line) => !isOfPeriod(line)).concat(billed);
  if (invoice.voided) return;
  const isAlone = invoice.lines.every(({ kind }) => kind === 'period');
  if (isAlone && !isApplied(invoice, state.sold.invoicesArePaid === true)) invoice.voided = true;
  else if (invoice.credited === 0n) creditByNote(state, invoice);
}

function opposite(line: Line, invoice: Invoice): Line {
  const { unitCost, takesBack: own = [] } = line;
  const takesBack = own.length > 0 ? own : [{ invoice }];
  return { ...line, takesBack, unitCost: unitCost.startsWith('-') ? unitCost.slice(1) : `-${unitCost}` };
}

/** Credits the lines of the period, net of discounts: first to the invoice, the rest to the credit balance. */
function creditByNote(state: State, invoice: Invoice): void {
  const { currency } = state.sold;
  const lines = invoice.lines
    .filter(({ kind }) => kind === 'period')
    .map((line) => ({ ...line, quantity: '1', unitCost: minorText(netOf(line), decimalsOf(currency)), discounts: [] }));
  const { sum } = totalsOf({ lines, coupons: [], taxes: invoice.rates, currency });
  const owed = invoice.total - invoice.creditApplied;
  const [applied = owed] = [sum, owed].toSorted((one, other) => Number(one - other));
  invoice.creditApplied += applied;
  payFromCredit(state, sum - applied, new Set());
}
