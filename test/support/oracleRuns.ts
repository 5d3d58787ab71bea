import type { Answer } from './api.ts';
import { couponId, productId } from './oracleCatalog.ts';
import type { OracleShop, SoldSubscription } from './oracleShop.ts';
import { openSubscription, type Snapshot, snapshotOf } from './subscriptionOracle.ts';
import { applyChange } from './subscriptionOracleChange.ts';
import type { Choices } from './subscriptionOracleChoices.ts';
import type { BilledLine, Invoice, Line } from './subscriptionOracleInvoice.ts';
import { totalsOf } from './subscriptionOracleInvoice.ts';
import { runUntil } from './subscriptionOracleProcess.ts';
import { type Change, Refused } from './subscriptionOracleRequest.ts';
import { beganActive, type State } from './subscriptionOracleState.ts';
import { minorText } from './subscriptionOracleTerms.ts';
import { dayText } from './subscriptionShown.ts';
import { type Case, type Features, sampleCases } from './subscriptionSpace.ts';
import { decimalsOf } from './totalsOracle.ts';

// Runs a subscription of the oracle through the API, and compares what both bill.

/** How the product answers the questions that the specification leaves open. */
export const productChoices: Partial<Choices> = {
  // A charge is one line with the price after discounts, because the invoice that takes it must not discount it again.
  chargeDiscounts: 'netOfBill',
  // docs/subscriptions.md: discounts alone are not prorated, the next bill has them.
  discountsProrate: false,
  // A used-up coupon is no longer on the subscription, so that naming it attaches it anew.
  usedUpCouponAgain: 'fresh',
  // Only a change with lines of its own is billed at once.
  nowWithoutLines: false,
  // docs/calendar.md: snap_to_nth_day belongs to the subscription, whatever its plan.
  snapOnIntervalChange: 'keep',
  snapThatPlanLacks: 'refuse',
  // Each change of the interval of a subscription with a contract needs the cycles of the contract.
  cyclesBeforeStart: 'named',
  // A bill ahead is one of a period to come: the period counts when it begins, and is taken back if it will not begin.
  aheadOpens: true,
  // Days ahead are counted from the start of the period, also if a trial comes before it.
  trialBillsAhead: true,
  // docs/subscriptions.md: without a cycle left, `new` is the same as `continue`.
  resumeNewWithoutCycle: 'continue',
  // Prices of a component are kept by change, also of one that was undone at once.
  stretches: 'ofChange',
  arrearsWithoutProration: 'laterTermsOfComponent',
  // docs/subscriptions.md: periods that began during a pause are skipped.
  arrearsPause: 'stretchOfStarted',
  // A bill of a part of a period is a bill of that period.
  closingUsesCycle: true,
  // A coupon of one bill is no recurring discount, any other is one while it lasts.
  mrrDiscounts: 'several',
  recurringDiscounts: 'several',
  // `mrr` is that of the price.
  mrrWhilePaused: 'full',
};

/** Subscriptions that the API can sell. Some requests are to be refused. */
export const productSpace: Partial<Features> = { pausesInArrears: true, refusals: true };

/** The same cases for the same seed. */
export function productCases(of: { seed: number; count: number }, features: Partial<Features> = {}): Case[] {
  return sampleCases(of, Object.assign({}, productSpace, features), productChoices);
}

/** Everything that a run shows of one side. */
export interface Shown {
  /** After the creation and each change, and at the end. `refused`: the field of a change that was refused. */
  states: Record<string, unknown>[];
  invoices: object[];
  pending: string[];
}

/** Runs a case through the API and the oracle. Both sides are equal if the product is right. */
export async function compareRun(
  shop: OracleShop,
  { sold, changes, until }: Case,
  how: 'onTime' | 'late',
): Promise<{ product: Shown; oracle: Shown }> {
  const one = await shop.sell(sold);
  const state = openSubscription(sold, productChoices);
  const states = { product: [await productState(one, state)], oracle: [oracleState(state)] };
  for (const change of changes) {
    runUntil(state, change.at);
    await one.advanceTo(change.at, how);
    const answer = await one.change(change, state);
    const refusal = refusalOf(() => applyChange(state, change));
    await one.advanceTo(change.at, how);
    const answered = answeredWith(answer, refusal);
    states.product.push({ change: textOf(change), refused: answered, ...(await productState(one, state)) });
    states.oracle.push({ change: textOf(change), refused: refusal, ...oracleState(state) });
    if (refusal !== answered) break;
  }
  runUntil(state, until);
  await one.advanceTo(until, how);
  states.product.push(await productState(one, state));
  states.oracle.push(oracleState(state));
  const { currency } = sold;
  const product = {
    states: states.product,
    invoices: (await one.invoices()).map(productInvoice),
    pending: (await one.pendingLines()).map(productLine).toSorted(),
  };
  const oracle = {
    states: states.oracle,
    invoices: state.invoices.map((invoice) => oracleInvoice(invoice, currency)),
    pending: pendingLines(state).toSorted(),
  };
  return { product, oracle };
}

const textOf = (change: Change) => JSON.stringify(change);

/** Runs a request through the oracle. Returns the field that it refuses; null: none. */
export function refusalOf(request: () => void): string | null {
  try {
    request();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.param ?? NO_FIELD;
    throw error;
  }
}

const NO_FIELD = 'the whole request';

/** The field that an answer refuses; null: none. A difference shows the message. */
export function answeredWith({ status, body }: Answer, expected: string | null): string | null {
  if (status < 400) return null;
  const field = body.param ?? NO_FIELD;
  return status === 400 && field === expected ? field : `${status} ${field}: ${body.message}`;
}

const amountOf = (minor: bigint, currency: string) => Number(minorText(minor, decimalsOf(currency)));

function oracleState(state: State): Record<string, unknown> {
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
    mrr: amountOf(shown.mrr, currency),
    recurringTotal: isLive ? amountOf(shown.recurringTotal, currency) : null,
    credit: amountOf(shown.creditBalance, currency),
    pendingLines: shown.pendingLines,
  };
}

/** Whether the product shows the period that contains the present: not in a pause, nor in a period that began in one. */
function hasKnownPeriod(state: State, { paused, period, pendingRenewal }: Snapshot): boolean {
  return !paused && !pendingRenewal && period !== null && beganActive(state, period.start);
}

async function productState(one: SoldSubscription, state: State): Promise<Record<string, unknown>> {
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
    mrr: shown.mrr,
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

function productLine(line: Answer['body']): string {
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

function pendingLines({ pending, sold }: State): string[] {
  const priced = totalsOf({ lines: pending as Line[], coupons: [], taxes: [], currency: sold.currency });
  return priced.lines.map((line) => oracleLine(line, sold.currency));
}

/** The line that makes the total zero when credit outweighs a bill. It bills nothing. */
const isCarried = (line: Answer['body']) => productId(line) === null;

function productInvoice(invoice: Answer['body']): object {
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

function oracleInvoice(invoice: Invoice, currency: string): object {
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
