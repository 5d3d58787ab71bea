import { checkAmount, MOST_LINES } from '../limits.ts';
import { multiply } from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import type { Interval } from '../time/calendar.ts';

/** Maximum number of add-ons of a subscription. */
export const MOST_ADDONS = 100;

/** Maximum number of characters of a line's description that a request can send back. */
const MOST_DESCRIPTION = 10_000;

interface Rhythm {
  interval: Interval;
  intervalCount: number;
}

/** Refuses the plan of an add-on that is billed at other intervals than the plan of its subscription. `param`: the field that names it. */
export function checkAddonInterval(main: Rhythm, addon: Rhythm & { code: string }, param: string): void {
  if (addon.interval === main.interval && addon.intervalCount === main.intervalCount) return;
  const [own, needed] = [inWords(addon), inWords(main)];
  throw new Refusal(
    'parameter_invalid',
    `Plan ${addon.code} is billed every ${own}: this subscription needs every ${needed}`,
    param,
  );
}

function inWords({ interval, intervalCount }: Rhythm): string {
  return intervalCount === 1 ? interval : `${intervalCount} ${interval}s`;
}

/** The add-on's own text, followed by the words of the billed tier, unless both together are too long. */
export function lineDescription(own: string | null, tier: string | null): string | null {
  if (own === null || tier === null) return own ?? tier;
  const both = `${own}\n${tier}`;
  return both.length <= MOST_DESCRIPTION ? both : own;
}

/** A line that bills a part of a subscription. `addonId`: null for its plan. */
interface ComponentLine {
  addonId: number | null;
  quantity: string;
  unitCost: string;
}

/**
 * Refuses the lines of a subscription if an amount is too large, naming the quantity at fault, or if one bill cannot have so many lines.
 * `addonIds`: its add-ons in their order.
 */
export function checkComponentLines(
  lines: readonly ComponentLine[],
  { addonIds, currency }: { addonIds: readonly number[]; currency: string },
): void {
  for (const { addonId, quantity, unitCost } of lines) {
    const param = addonId === null ? 'quantity' : `addons[${addonIds.indexOf(addonId)}][quantity]`;
    checkAmount(multiply(quantity, unitCost, currency), param);
  }
  // One line stays free: it credits a negative total.
  const most = MOST_LINES - 1;
  if (lines.length <= most) return;
  throw new Refusal(
    'limit_exceeded',
    `A bill would have ${lines.length} lines, one for each tier; the most is ${most}`,
    'addons',
  );
}
