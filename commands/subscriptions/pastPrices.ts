import { periodAt, shareOfPeriod } from '../../billing/periods.ts';
import type { ComponentPrice } from '../../billing/proration.ts';
import { Refusal } from '../../billing/refusal.ts';
import {
  type BilledStretch,
  type PastPrice,
  partsWithin,
  pricedSince,
  type WholeLine,
} from '../../billing/stretches.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import { type DocumentLine, newLine } from '../documents/lines.ts';
import { proratedLines, type SubscriptionContent } from './content.ts';

/** Maximum number of prices of one period that is billed in arrears: each adds a line to its bill. */
const MOST_PRICES = 200;

/** A change of components in arrears. `lines`: those of a whole period before it. */
interface Changed {
  ended: readonly ComponentPrice[];
  begun: readonly ComponentPrice[];
  lines: readonly DocumentLine[];
  /** Epoch milliseconds. */
  from: number;
}

/** Keeps the prices that a change ends for the bill of the period in progress. Refuses too many in one period. */
export function keepPastPrices(at: LockedSubscription, { ended, begun, lines, from }: Changed): void {
  const { subscription } = at;
  if (!subscription.periodOpen || !subscription.periodStartAt) return;
  const startAt = subscription.periodStartAt.getTime();
  const past = subscription.pastPrices ?? [];
  const known = new Set(ended.map(({ addonId }) => addonId));
  const added = [...ended, ...begun.filter(({ addonId }) => !known.has(addonId))].map(({ addonId }) => ({
    addonId,
    startAt: pricedSince(past, addonId, startAt),
    endAt: from,
    lines: known.has(addonId) ? lines.filter((line) => line.addonId === addonId).map(wholeLine) : [],
  }));
  if (past.length + added.length > MOST_PRICES)
    throw new Refusal(`Prices changed ${MOST_PRICES} times in this period already: send when: renewal`, 'prorate');
  subscription.pastPrices = [...past, ...added];
}

/** The lines of the bill of period n: for each component one line for each stretch, in arrears also for each price that it had. */
export function linesOfPeriod(
  at: LockedSubscription,
  { whole, n, stretches }: { whole: SubscriptionContent; n: number; stretches: readonly BilledStretch[] },
): DocumentLine[] {
  const { schedule } = stateOf(at);
  const period = periodAt(schedule, n);
  const past = at.subscription.pastPrices ?? [];
  const changed = new Set(past.map(({ addonId }) => addonId));
  const same = whole.lines.filter(({ addonId }) => !changed.has(addonId));
  const length = shareOfPeriod(schedule, n)?.denominator ?? period.endAt - period.startAt;
  const priced = [...changed].map((addonId) => ({
    addonId,
    startAt: pricedSince(past, addonId, period.startAt),
    endAt: period.endAt,
    lines: whole.lines.filter((line) => line.addonId === addonId),
  }));
  const parts = [...past, ...priced].flatMap((one) => partsOf(one, stretches, length));
  const all = [...stretches.map((stretch) => ({ stretch, lines: same })), ...parts];
  return all.flatMap(({ stretch, lines }) => datedLines(at, lines, stretch));
}

function wholeLine(line: DocumentLine): WholeLine {
  const { addonId, type, name, description, planCode, itemCode, glAccount } = line;
  const { quantity, unitCost, discountable, taxable, discounts, taxes } = line;
  const sold = { addonId, type, name, description, planCode, itemCode, glAccount };
  return { ...sold, quantity, unitCost, discountable, taxable, discounts, taxes };
}

function partsOf({ lines, startAt, endAt }: PastPrice, stretches: readonly BilledStretch[], whole: number) {
  if (lines.length === 0) return [];
  return partsWithin(stretches, { startAt, endAt }, whole).map((stretch) => ({ stretch, lines: lines.map(newLine) }));
}

/** Lines for a stretch of a period, with its dates. */
function datedLines(
  at: LockedSubscription,
  lines: readonly DocumentLine[],
  { startAt, endAt, share }: BilledStretch,
): DocumentLine[] {
  const dates = { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) };
  return proratedLines(at, lines, share).map((line) => ({ ...line, ...dates }));
}
