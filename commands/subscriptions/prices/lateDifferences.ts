import { checkAmount } from '../../../billing/limits.ts';
import { isZero } from '../../../billing/money/money.ts';
import { type CorrectedBill, differencesOf } from '../../../billing/usage/lateUsage.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type FirstTotal, firstTotals } from '../../../db/queries/usage/totals.ts';
import type { UsageRate } from '../../../db/schema/usage.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type KnownTerms, nameOfBill, readUsageBills, spanName } from '../usage/billsOfUsage.ts';
import { type LatePrice, lessCreditNotes } from '../usage/usageCredits.ts';
import { addonOf } from '../usage/usageSpans.ts';

/** Taken late usage of a span. */
export interface LateSpan {
  rate: UsageRate;
  /** Epoch milliseconds. */
  startAt: number;
  quantity: string;
}

/** Maximum number of bills that are computed again at a time, so that their lines fit in memory. */
const MOST_BILLS = 20;
/** Maximum number of lines that are computed again for the steps of a bill together, about a second with 20 discounts. */
const MOST_LINES = 20_000;

/**
 * Prices late usage by the bills that took its spans: each is computed again with and without it. What it credits is at most what credit notes
 * leave (`lessCreditNotes`). Makes one statement, and three for each 20 bills. Refuses amounts that are too large. Returns the prices by span.
 */
export async function priceLate<Span extends LateSpan>(
  em: EntityManager,
  locked: LockedSubscription,
  { late, ...known }: KnownTerms & { late: readonly Span[] },
): Promise<Map<Span, LatePrice>> {
  const prices = new Map<Span, LatePrice>();
  if (late.length === 0) return prices;
  const found = await firstTotals(em, locked.subscription.accountId, late.map(keyOf));
  const bills = new Map(found.map((first) => [spanName(first), first]));
  const billOf = (span: Span): FirstTotal => {
    const first = bills.get(spanName(keyOf(span)));
    if (!first) throw new Error(`late usage of rate ${span.rate.id} was never billed`);
    return first;
  };
  const byBill = [...Map.groupBy(late, (span) => nameOfBill(billOf(span)))];
  for (let done = 0; done < byBill.length; done += MOST_BILLS) {
    const part = byBill.slice(done, done + MOST_BILLS);
    const firsts = part.flatMap(([, spans]) => spans.slice(0, 1).map(billOf));
    const read = await readUsageBills(em, locked, { ...known, firsts });
    for (const [name, spans] of part) {
      const bill = read.get(name);
      if (!bill) throw new Error(`${name} of late usage was not read`);
      const priced = pricesBy(bill, spans);
      for (const [span, price] of priced) prices.set(span, { ...price, invoiceId: billOf(span).invoiceId });
    }
  }
  return lessCreditNotes(em, locked.subscription.accountId, prices);
}

/** Late usage that is computed one after another: each span alone; if that takes too long, each plan or add-on alone, or else all at once. */
function stepsOf<Span extends LateSpan>(bill: CorrectedBill, spans: readonly Span[]): (readonly Span[])[] {
  const alone = spans.map((span) => [span]);
  const byComponent = [...Map.groupBy(spans, ({ rate }) => addonOf(rate)).values()];
  const isShort = (steps: readonly unknown[]) => steps.length * bill.lines.length <= MOST_LINES;
  return [alone, byComponent].find(isShort) ?? [spans];
}

function keyOf({ rate, startAt }: LateSpan) {
  return { rateId: rate.id, startAt: new Date(startAt) };
}

function pricesBy<Span extends LateSpan>(
  bill: CorrectedBill & { names: readonly string[] },
  spans: readonly Span[],
): Map<Span, Omit<LatePrice, 'invoiceId'>> {
  const prices = new Map<Span, Omit<LatePrice, 'invoiceId'>>();
  const steps = stepsOf(bill, spans);
  const indexOf = (span: Span) => bill.names.indexOf(spanName(keyOf(span)));
  const late = steps.map((step) => step.map((span) => ({ index: indexOf(span), quantity: span.quantity })));
  for (const [number, differences] of differencesOf(bill, late).entries()) {
    for (const { price } of differences) checkAmount(price, 'quantity');
    for (const [place, span] of (steps[number] ?? []).entries()) {
      const index = indexOf(span);
      const isAgain = isZero(bill.counted[index] ?? '0') && !isZero(bill.usage[index]?.took ?? '0');
      prices.set(span, { differences: place === 0 ? differences : [], isAgain });
    }
  }
  return prices;
}
