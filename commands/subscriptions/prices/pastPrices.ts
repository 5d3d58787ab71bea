import { whyUntaxed } from '../../../billing/documents/tax.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { type ComponentPrice, wholePrice } from '../../../billing/subscriptions/proration.ts';
import { periodAt, shareOfPeriod } from '../../../billing/time/periods.ts';
import {
  type BilledStretch,
  hasTime,
  partsWithin,
  pricedSince,
  type WholeLine,
} from '../../../billing/time/stretches.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { type DocumentLine, newLine } from '../../documents/lines.ts';
import { proratedLines, type SubscriptionContent } from '../changes/content.ts';

/** Maximum number of lines on a bill in arrears. Each price of a component has one line for each part of the period between pauses. */
const MOST_LINES_IN_ARREARS = 500;

/** Refuses a pause after which the bill of the period in progress would have too many lines. */
export function checkPause(locked: LockedSubscription): void {
  const { subscription, addons } = locked;
  if (subscription.billIn === 'advance' || !subscription.periodOpen) return;
  const prices = (subscription.pastPrices?.length ?? 0) + 1 + addons.length;
  if (prices * (stretchesOf(locked) + 1) <= MOST_LINES_IN_ARREARS) return;
  throw new Refusal(
    'limit_exceeded',
    'Subscription was paused too often in this period: its bill has a line for each part without a pause',
    'paused',
  );
}

function stretchesOf({ subscription }: LockedSubscription): number {
  return Math.max(1, subscription.used?.length ?? 1);
}

/** A change of components in arrears. `lines`: those of a whole period before it. */
interface Changed {
  ended: readonly ComponentPrice[];
  begun: readonly ComponentPrice[];
  lines: readonly DocumentLine[];
  /** Epoch milliseconds. */
  from: number;
}

/** Keeps the prices that a change ends for the bill of the period in progress. Refuses too many in one period. */
export function keepPastPrices(locked: LockedSubscription, { ended, begun, lines, from }: Changed): void {
  const { subscription } = locked;
  if (!subscription.periodOpen || !subscription.periodStartAt) return;
  const startAt = subscription.periodStartAt.getTime();
  const past = subscription.pastPrices ?? [];
  const known = new Set(ended.map(({ addonId }) => addonId));
  const added = [...ended, ...begun.filter(({ addonId }) => !known.has(addonId))].map(({ addonId }) => ({
    addonId,
    startAt: pricedSince(past, addonId, startAt),
    endAt: from,
    line: known.has(addonId)
      ? wholeLine(
          locked,
          lines.filter((line) => line.addonId === addonId),
        )
      : null,
  }));
  const prices = past.length + added.length + 1 + locked.addons.length;
  if (prices * stretchesOf(locked) > MOST_LINES_IN_ARREARS)
    throw new Refusal(
      'limit_exceeded',
      'The bill of this period would have too many lines: send when: renewal',
      'prorate',
    );
  subscription.pastPrices = [...past, ...added];
}

/** The lines of the bill of period n: for each component one line for each stretch, in arrears also for each price that it had. */
export function linesOfPeriod(
  locked: LockedSubscription,
  { whole, n, stretches }: { whole: SubscriptionContent; n: number; stretches: readonly BilledStretch[] },
): DocumentLine[] {
  const { schedule } = stateOf(locked);
  const period = periodAt(schedule, n);
  const past = (hasTime(stretches) && locked.subscription.pastPrices) || [];
  const changed = new Set(past.map(({ addonId }) => addonId));
  const same = whole.lines.filter(({ addonId }) => !changed.has(addonId));
  const length = shareOfPeriod(schedule, n)?.denominator ?? period.endAt - period.startAt;
  const isTaxed = whyUntaxed(locked.customer, true) === null;
  const earlier = past.flatMap(({ line, ...span }) =>
    line ? [{ ...span, lines: [newLine({ ...line, taxes: isTaxed ? line.taxes : [] })] }] : [],
  );
  const priced = [...changed].map((addonId) => ({
    startAt: pricedSince(past, addonId, period.startAt),
    endAt: period.endAt,
    lines: whole.lines.filter((line) => line.addonId === addonId),
  }));
  const parts = [...earlier, ...priced].flatMap(({ lines, ...span }) =>
    partsWithin(stretches, span, length).map((stretch) => ({ stretch, lines })),
  );
  const all = [...stretches.map((stretch) => ({ stretch, lines: same })), ...parts];
  return all.flatMap(({ stretch, lines }) => datedLines(locked, lines, stretch));
}

/** One line with the price of a whole period of a component. Null: it has no lines. */
function wholeLine({ plan }: LockedSubscription, lines: readonly DocumentLine[]): WholeLine | null {
  const [first] = lines;
  if (!first) return null;
  const { addonId, type, name, description, planCode, itemCode, glAccount, discountable, taxable, taxes } = first;
  const unitCost = wholePrice(lines, plan.currency);
  const sold = { addonId, type, name, description, planCode, itemCode, glAccount, discountable, taxable };
  return { ...sold, quantity: '1', unitCost, discounts: [], taxes };
}

/** Lines for a stretch of a period, with its dates. */
function datedLines(
  locked: LockedSubscription,
  lines: readonly DocumentLine[],
  { startAt, endAt, share }: BilledStretch,
): DocumentLine[] {
  const dates = { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) };
  return proratedLines(locked, lines, share).map((line) => ({ ...line, ...dates }));
}
