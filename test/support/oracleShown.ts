import type { Answer } from './api.ts';
import { couponId, productId } from './oracleCatalog.ts';
import type { SoldSubscription } from './oracleShop.ts';
import { type Snapshot, snapshotOf } from './subscriptionOracle.ts';
import { type BilledLine, type Invoice, type Line, totalsOf } from './subscriptionOracleInvoice.ts';
import { periodOf } from './subscriptionOraclePeriods.ts';
import { beganActive, isArrears, type State } from './subscriptionOracleState.ts';
import { minorText } from './subscriptionOracleTerms.ts';
import { dayText } from './subscriptionShown.ts';
import { decimalsOf } from './totalsOracle.ts';

// A subscription, its invoices and its pending lines as the API and the oracle show them, in one form.

const amountOf = (minor: bigint, currency: string) => Number(minorText(minor, decimalsOf(currency)));

export function oracleState(state: State): Record<string, unknown> {
  const { currency } = state.sold;
  const shown = snapshotOf(state);
  const isLive = shown.status === 'active' || shown.status === 'not_started';
  return {
    at: dayText(state.now),
    status: shown.status,
    paused: isLive && shown.paused,
    period: hasKnownPeriod(state, shown) ? spanText(shown.period) : null,
    contract: isLive && !shown.paused ? spanText(shown.term) : null,
    pendingRenewal: isLive && shown.pendingRenewal,
    hasPendingChange: isLive && shown.pendingChange !== null,
    mrr: isAfterTrial(state) ? null : amountOf(shown.mrr, currency),
    recurringTotal: isLive ? amountOf(shown.recurringTotal, currency) : null,
    credit: amountOf(shown.creditBalance, currency),
    pendingLines: shown.pendingLines,
  };
}

/** Whether a trial has ended during a pause and no period has begun since. What `mrr` is then is open. */
function isAfterTrial(state: State): boolean {
  const { sold, segment, schedule, now, status } = state;
  return (
    status === 'live' && sold.trialEnd !== undefined && segment === 0 && now >= schedule.anchor && !hasBegun(state)
  );
}

function hasBegun(state: State): boolean {
  const { schedule, now, billed, next } = state;
  const starts = Array.from({ length: next + 1 }, (_, n) => periodOf(schedule, n).start);
  return isArrears(state)
    ? starts.some((start) => start <= now && beganActive(state, start))
    : billed.some(({ start }) => start <= now);
}

/** Whether the product shows the period that contains the present: not in a pause, nor in a period that began in one. */
function hasKnownPeriod(state: State, { paused, period, pendingRenewal }: Snapshot): boolean {
  return !paused && !pendingRenewal && period !== null && beganActive(state, period.start);
}

export async function productState(one: SoldSubscription, state: State): Promise<Record<string, unknown>> {
  const shown = await one.read();
  const isLive = !['canceled', 'finished'].includes(shown.status);
  const { period_start: start, period_end: end, contract_period_start: first, contract_period_end: last } = shown;
  const inSeconds = (from: number | null, to: number) => from && { start: from * 1000, end: to * 1000 };
  return {
    at: dayText(state.now),
    status: shown.status === 'past_due' ? 'active' : shown.status,
    paused: isLive && shown.paused,
    period: hasKnownPeriod(state, snapshotOf(state)) ? spanText(inSeconds(start, end)) : null,
    contract: isLive && !shown.paused ? spanText(inSeconds(first, last)) : null,
    pendingRenewal: shown.pending_renewal,
    hasPendingChange: isLive && shown.pending_change !== null,
    mrr: isAfterTrial(state) ? null : shown.mrr,
    recurringTotal: isLive ? shown.recurring_total : null,
    credit: await one.creditBalance(),
    pendingLines: (await one.pendingLines()).length,
  };
}

const spanText = (span: { start: number; end: number } | null | 0) =>
  span ? `${dayText(span.start)}/${dayText(span.end)}` : null;

interface ShownLine {
  product: string | null;
  start: number;
  end: number;
  quantity: string;
  unitCost: string;
  amount: number;
  prorated: boolean;
}

function lineText({ product, start, end, quantity, unitCost, amount, prorated }: ShownLine): string {
  const price = `${Number(quantity)} x ${Number(unitCost)} = ${amount}`;
  return `${product} ${spanText({ start, end })} ${price}${prorated ? ' prorated' : ''}`;
}

export function productLine(line: Answer['body']): string {
  const { period_start: start, period_end: end, quantity, unit_cost: unitCost, amount, prorated = false } = line;
  return lineText({
    product: productId(line),
    start: start * 1000,
    end: end * 1000,
    quantity,
    unitCost,
    amount,
    prorated,
  });
}

function oracleLine(line: BilledLine, currency: string): string {
  const { product, periodStart: start, periodEnd: end, quantity, unitCost, prorated } = line;
  return lineText({ product, start, end, quantity, unitCost, amount: amountOf(line.amount, currency), prorated });
}

export function pendingLines({ pending, sold }: State): string[] {
  const priced = totalsOf({ lines: pending as Line[], coupons: [], taxes: [], currency: sold.currency });
  return priced.lines.map((line) => oracleLine(line, sold.currency));
}

/** The line that makes the total zero when credit outweighs a bill. It bills nothing. */
const isCarried = (line: Answer['body']) => productId(line) === null;

export function productInvoice(invoice: Answer['body']): object {
  const carried = invoice.items.filter(isCarried);
  const lines = invoice.items.filter((line: Answer['body']) => !isCarried(line));
  const discounts = [invoice, ...lines].flatMap((one: Answer['body']) => one.discounts);
  const taxes = [invoice, ...lines].flatMap((one: Answer['body']) => one.taxes);
  const credited = sumOf(carried.map(({ amount }: Answer['body']) => amount));
  return {
    date: dayText(invoice.date * 1000),
    voided: invoice.status === 'voided',
    lines: lines.map(productLine).toSorted(),
    subtotal: sumOf([invoice.subtotal, -credited]),
    discounts: sumsBy(discounts.map((one) => ({ id: couponId(one.coupon), amount: one.amount }))),
    taxes: sumsBy(taxes.map((one) => ({ id: one.tax_rate.id, amount: one.amount }))),
    total: invoice.total,
    credited,
    balance: invoice.balance,
  };
}

export function oracleInvoice(invoice: Invoice, currency: string): object {
  const text = (minor: bigint) => amountOf(minor, currency);
  const entries = (sums: Record<string, bigint>) =>
    Object.entries(sums).map(([id, all]) => ({ id, amount: text(all) }));
  return {
    date: dayText(Math.floor(invoice.date / 1000) * 1000),
    voided: invoice.voided,
    lines: invoice.lines.map((line) => oracleLine(line, currency)).toSorted(),
    subtotal: text(invoice.subtotal),
    discounts: sumsBy(entries(invoice.discounts)),
    taxes: sumsBy(entries(invoice.taxes)),
    total: text(invoice.total),
    credited: text(invoice.credited),
    balance: invoice.voided ? 0 : text(invoice.total - invoice.creditApplied),
  };
}

/** A sum of decimals with at most four digits after the point. */
function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 1e4), 0) / 1e4;
}

function sumsBy(all: readonly { id: string; amount: number }[]): Record<string, number> {
  const groups = [...Map.groupBy(all, ({ id }) => id)];
  const sums = groups.map(([id, group]) => [id, sumOf(group.map(({ amount }) => amount))] as const);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0).toSorted(([one], [other]) => one.localeCompare(other)));
}
