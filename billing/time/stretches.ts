import type { OpenLine } from '../documents/document.ts';
import { type Period, type Schedule, type Share, shareOfPeriod } from './periods.ts';

/** A part of a period during which a subscription was not paused. Epoch milliseconds; `endAt` null: it goes on. */
export interface Stretch {
  startAt: number;
  endAt: number | null;
}

/** A part of a period that has lines of its own on the bill. `share` null: it is the whole period. */
export interface BilledStretch extends Period {
  share: Share | null;
}

/** A line that bills a whole period of a component. */
export interface WholeLine extends OpenLine {
  addonId: number | null;
  type: string | null;
  name: string | null;
  description: string | null;
  planCode: string | null;
  itemCode: string | null;
  glAccount: string | null;
}

/** A price of a component that counted in a part of the period in progress. */
export interface PastPrice {
  /** Id of the add-on; null: the plan. */
  addonId: number | null;
  startAt: number;
  endAt: number;
  /** The line of a whole period at this price; null: the component had not begun. */
  line: WholeLine | null;
}

/** Since when the current price of a component counts, in a period that starts at `startAt`. */
export function pricedSince(past: readonly PastPrice[], addonId: number | null, startAt: number): number {
  return past.reduce((since, one) => (one.addonId === addonId ? Math.max(since, one.endAt) : since), startAt);
}

/**
 * The parts of billed stretches within `span`. `length`: how long a whole period is, in milliseconds. A part of that length has no share.
 */
export function partsWithin(stretches: readonly BilledStretch[], span: Period, length: number): BilledStretch[] {
  return stretches
    .map((one) => ({ startAt: Math.max(one.startAt, span.startAt), endAt: Math.min(one.endAt, span.endAt) }))
    .filter(({ startAt, endAt }) => startAt < endAt)
    .map(({ startAt, endAt }) => {
      const numerator = endAt - startAt;
      return { startAt, endAt, share: numerator === length ? null : { numerator, denominator: length } };
    });
}

/** The parts of a period when a pause begins. `used`: those before; null: all of the period so far. */
export function stretchesAtPause(used: readonly Stretch[] | null, periodStartAt: number, now: number): Stretch[] {
  const all = used ?? [{ startAt: periodStartAt, endAt: null }];
  return all.map(({ startAt, endAt }) => ({ startAt, endAt: endAt ?? now }));
}

/** The parts of a period when a pause ends within it. A pause that ends as it begins leaves nothing. */
export function stretchesAtResume(used: readonly Stretch[] | null, now: number): Stretch[] | null {
  const last = used?.at(-1);
  if (!used || !last) return null;
  if (last.endAt === now) return [...used.slice(0, -1), { startAt: last.startAt, endAt: null }];
  return [...used, { startAt: now, endAt: null }];
}

/** Whether stretches have any time: that of a period which was paused throughout has none. */
export function hasTime(stretches: readonly BilledStretch[]): boolean {
  return stretches.some(({ share }) => share === null || share.numerator > 0);
}

/** The part that the bill of a whole period n has lines for. A short first period is billed by its share. */
export function wholeStretch(schedule: Schedule, n: number, period: Period): BilledStretch {
  return { startAt: period.startAt, endAt: period.endAt, share: shareOfPeriod(schedule, n) };
}

/** The parts of period n that are billed in arrears: those in use until a time. None: it was not in use. */
export function usedStretches(
  schedule: Schedule,
  { n, period, until }: { n: number; period: Period; until: number },
  used: readonly Stretch[] | null,
): BilledStretch[] {
  const whole = wholeStretch(schedule, n, period);
  const all = used ?? [{ startAt: period.startAt, endAt: null }];
  const parts = all.map(({ startAt, endAt }) => ({ startAt, endAt: Math.min(endAt ?? until, until) }));
  const isWhole = parts.some(({ startAt, endAt }) => startAt <= period.startAt && endAt >= period.endAt);
  if (isWhole) return [whole];
  const denominator = whole.share?.denominator ?? period.endAt - period.startAt;
  return parts
    .filter(({ startAt, endAt }) => startAt < endAt)
    .map(({ startAt, endAt }) => ({ startAt, endAt, share: { numerator: endAt - startAt, denominator } }));
}
