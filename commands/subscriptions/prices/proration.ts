import {
  type ComponentPrice,
  changedComponents,
  checkProratedCount,
  checkProrationDate,
  type ProratedLine,
} from '../../../billing/subscriptions/proration.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { addPendingLines } from '../../lineItems/pendingLines.ts';
import { restsOf } from '../steps/periodRests.ts';
import { billedAfter } from './billedCharges.ts';
import { keepPrices } from './chargedPrices.ts';
import { creditsOf, type Prorated } from './proratedLines.ts';

/** A change of components at an instant of a billed period. */
export interface ProrationAsked {
  before: readonly ComponentPrice[];
  /** The components that the subscription has now. None: their rest is only credited. */
  after: readonly ComponentPrice[];
  /** Instant from which on the change counts. */
  from: Date;
}

/** Refuses a time from which a change counts that is outside the current period, before the last change in it, or in the future. */
export function checkCountsFrom({ subscription, moment }: LockedSubscription, from: Date): void {
  checkProrationDate(from.getTime(), {
    periodStartAt: subscription.periodStartAt?.getTime() ?? null,
    periodEndAt: subscription.periodEndAt?.getTime() ?? null,
    changedAt: subscription.changedAt?.getTime() ?? null,
    now: moment.now.getTime(),
  });
}

/**
 * Prorates a change by pending lines, up to the end of the last billed period. In each period, a component that changes gets two lines for
 * the unused share: a credit of its charges, net of all discounts and with their tax rates, and a charge of its new price, with the
 * discounts of that period's bill and today's rates. If the bill has discounts by amount, the change moves their parts, so each of the
 * other components gets a line, too. Returns whether it wrote a line.
 */
export async function writeProration(
  em: EntityManager,
  locked: LockedSubscription,
  asked: ProrationAsked,
): Promise<boolean> {
  const { subscription, moment } = locked;
  const { segment } = subscription;
  const { before, after } = asked;
  const from = asked.from.getTime();
  const change = { ...changedComponents(before, after), after, from };
  const billed = await billedAfter(em, locked, from);
  const credits = creditsOf(locked, billed, change);
  const rests = after.length === 0 ? [] : await restsOf(em, locked, { billed, change, credits });
  const charges = rests.flatMap(({ lines }) => lines);
  const lines: Prorated[] = [...credits, ...charges.map((line) => ({ line, credited: null }))];
  const ids = await addPendingLines(em, locked, {
    currency: locked.plan.currency,
    lines: lines.map(({ line }) => line),
  });
  const added = lines.map(({ line, credited, undone }, index): ProratedLine => {
    const endAt = line.periodEndAt?.getTime() ?? 0;
    return { lineId: ids[index] ?? 0, credited, segment, endAt, from, ...(undone ? { undone } : {}) };
  });
  const kept = subscription.prorations.filter(({ endAt }) => endAt > moment.now.getTime());
  checkProratedCount(kept.length + added.length);
  if (added.length > 0) subscription.prorations = [...kept, ...added];
  const places = lines.map(({ line }, index) => ({ line, id: ids[index] ?? 0 }));
  keepPrices(locked, { rests, places, from });
  return added.length > 0;
}
