import { allocate, isNegative, isZero, type Money, minorUnits, negate, zero } from '../../billing/money/money.ts';
import { decimalText, exact, roundedUnits } from '../../billing/money/units.ts';
import { Refusal } from '../../billing/refusal.ts';
import {
  creditsByLine,
  type DatedCredit,
  type NamingCredit,
  recognitionOf,
} from '../../billing/reports/recognition.ts';
import type { Asked, Cell } from '../../billing/reports/report.ts';
import { addDaysToDay, daysBetween } from '../../billing/time/calendar.ts';
import { breather } from '../../db/fairness/breather.ts';
import type { EntityManager } from '../../db/orm.ts';
import { postedRevenue, type RevenueLine, revenueLines } from '../../db/queries/reports/deferred.ts';
import { daysIn, periodsOf } from './definition.ts';

/** Most lines that an answer reads. */
export const MOST_LINES = 300_000;

const EPOCH = '1970-01-01';
const numberOf = (at: string): number => daysBetween(EPOCH, at);

/** Days of the report that have a row, as numbers of days. They follow each other. */
interface Span {
  period: string | null;
  first: number;
  last: number;
}

/** The days or months of the report, or all its days together. Refuses more days than an answer has rows. */
function spansOf(asked: Asked): Span[] {
  const unit = asked.options.group;
  const periods = unit === 'day' || unit === 'month' ? periodsOf(asked, unit) : [null];
  const { firstDay, lastDay } = asked.days;
  return periods.map((period) => {
    const { start = firstDay, end = lastDay } = daysIn(asked, period);
    return { period, first: numberOf(start), last: numberOf(end) };
  });
}

/** A line of an invoice that earns, with what credits took off it. */
interface EarningLine {
  line: RevenueLine;
  credits: DatedCredit[];
}

/** The lines of an invoice that earn. Negative lines that name no other invoice are credits of their own. */
function earningLines(ofInvoice: readonly RevenueLine[]): EarningLine[] {
  const lines = ofInvoice.filter(({ kind, net }) => kind === 'line' && !isNegative(net));
  const credits = ofInvoice.flatMap((line): NamingCredit[] => {
    if (line.kind === 'credit_note') return [line];
    if (line.kind === 'part') return [{ ...line, net: partOf(line), periodStartAt: null, periodEndAt: null }];
    return isNegative(line.net) && line.credited === null ? [{ ...line, net: negate(line.net) }] : [];
  });
  const [first] = lines;
  if (!first) return [];
  if (credits.length === 0) return lines.map((line) => ({ line, credits: [] }));
  const taken = creditsByLine(lines, credits, first.currency);
  return lines.map((line, index) => ({ line, credits: (taken[index] ?? []).filter(({ amount }) => !isZero(amount)) }));
}

/** The part of a negative line that falls to an invoice. */
function partOf({ net, credited, part, currency }: RevenueLine): Money {
  const weights = (credited ?? []).map(({ amount }) => amount);
  return allocate(negate(net), weights, currency)[part - 1] ?? zero(currency);
}

/** Minor units. `closing` is `opening` plus `billed` less `credited` and `recognized`. */
interface Amounts {
  opening: bigint;
  billed: bigint;
  credited: bigint;
  recognized: bigint;
  closing: bigint;
}

/** Amounts in each span, by the cells of a row. Without an amount: nothing. */
interface Sums {
  cells: Record<string, Cell>;
  currency: string;
  spans: (Amounts | undefined)[];
}

/** Sums by their cells. */
function newBook() {
  const book = new Map<string, Sums>();
  const sumsOf = (cells: Record<string, Cell>, currency: string): Sums => {
    const key = JSON.stringify(Object.values(cells));
    const sums = book.get(key) ?? { cells, currency, spans: [] };
    book.set(key, sums);
    return sums;
  };
  return { sumsOf, all: () => [...book.values()] };
}

function count({ spans }: Sums, index: number, amounts: Amounts): void {
  const sum = spans[index];
  if (sum === undefined) {
    spans[index] = { ...amounts };
    return;
  }
  sum.opening += amounts.opening;
  sum.billed += amounts.billed;
  sum.credited += amounts.credited;
  sum.recognized += amounts.recognized;
  sum.closing += amounts.closing;
}

/** Counts revenue of the ledger that no line tells. It is recognized at once. */
const countRest = (sums: Sums, index: number, rest: bigint): void =>
  count(sums, index, { opening: 0n, billed: rest, credited: 0n, recognized: rest, closing: 0n });

/** Index of the first span that ends on a day or later; the number of spans if there is none. */
function spanAt(spans: readonly Span[], day: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.last ?? 0) >= day) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Counts a line in all spans in which something was deferred or moved. What it bills is not in the rest. */
function countLine(spans: readonly Span[], { line, credits }: EarningLine, to: { sums: Sums; rest: Sums }): void {
  const at = recognitionOf(line, credits, line.currency);
  const days = [line.day, ...credits.map(({ day }) => day)];
  const [begin, end] = [Math.min(...days), Math.max(line.until, ...days)];
  const start = spanAt(spans, begin);
  let before = at((spans[start]?.first ?? 0) - 1);
  for (let index = start; index < spans.length; index++) {
    const { first, last } = spans[index] ?? { first: Number.POSITIVE_INFINITY, last: 0 };
    if (first > end) return;
    const after = at(last);
    const [billed, credited] = [after.billed - before.billed, after.credited - before.credited];
    const recognized = after.recognized - before.recognized;
    const isMoved = billed !== 0n || credited !== 0n || recognized !== 0n || after.deferred !== 0n;
    if (isMoved)
      count(to.sums, index, {
        opening: before.deferred,
        billed,
        credited,
        recognized,
        closing: after.deferred,
      });
    if (billed !== credited) countRest(to.rest, index, credited - billed);
    before = after;
  }
}

type About = Pick<RevenueLine, 'glAccount' | 'currency' | 'customer' | 'customerName'>;

/** The cells by which rows are separate. `line` null: what the ledger has and no line tells. */
function cellsOf({ options: { detail } }: Asked, about: About, line: RevenueLine | null): Record<string, Cell> {
  const isByLine = detail === 'line';
  return {
    currency: about.currency,
    gl_account: about.glAccount,
    ...(isByLine || detail === 'item' ? { item: line?.itemCode ?? null, plan: line?.planCode ?? null } : {}),
    ...(isByLine || detail === 'customer' ? { customer: about.customer, name: about.customerName } : {}),
    ...(isByLine ? cellsOfLine(line) : {}),
  };
}

const cellsOfLine = (line: RevenueLine | null): Record<string, Cell> => ({
  invoice: line?.invoice ?? null,
  number: line?.number ?? null,
  line: line?.id ?? null,
  service_start: line && addDaysToDay(EPOCH, line.from),
  service_end: line && addDaysToDay(EPOCH, line.until - 1),
});

/**
 * Revenue by when it is earned, as cells of rows: each currency and account, and what the options `detail` and `group` ask for. The lines, and what
 * the ledger has besides them. Refuses more lines than `most`. Call it in a transaction of its own.
 */
export async function recognizedRevenue(
  em: EntityManager,
  asked: Asked,
  most: number,
): Promise<Record<string, Cell>[]> {
  const spans = spansOf(asked);
  const { detail } = asked.options;
  const isByCustomer = detail === 'customer' || detail === 'line';
  const posted = await postedRevenue(em, asked, isByCustomer);
  const book = newBook();
  const breathe = breather();
  let count = 0;
  for await (const ofInvoice of revenueLines(em, asked)) {
    count += ofInvoice.length;
    if (count > most)
      throw new Refusal(
        'limit_exceeded',
        `The report reads more than ${most} lines: choose a shorter range, filter it, or let a job run it: POST /jobs`,
      );
    for (const one of earningLines(ofInvoice)) {
      const { line } = one;
      const sums = book.sumsOf(cellsOf(asked, line, line), line.currency);
      countLine(spans, one, { sums, rest: book.sumsOf(cellsOf(asked, line, null), line.currency) });
    }
    await breathe();
  }
  for (const { day, amount, ...about } of posted) {
    const units = roundedUnits(exact(amount), minorUnits(about.currency));
    countRest(book.sumsOf(cellsOf(asked, about, null), about.currency), spanAt(spans, day), units);
  }
  return book.all().flatMap((sums) => rowsOf(spans, sums));
}

/** The cells of the spans in which anything was deferred or moved. */
function rowsOf(spans: readonly Span[], { cells, currency, spans: all }: Sums): Record<string, Cell>[] {
  const decimals = minorUnits(currency);
  return spans.flatMap(({ period }, index) => {
    const amounts = Object.entries(all[index] ?? {});
    if (amounts.every(([, amount]) => amount === 0n)) return [];
    const shown = amounts.map(([name, amount]) => [name, decimalText(amount, decimals)]);
    return [{ period, ...cells, ...Object.fromEntries(shown) }];
  });
}
