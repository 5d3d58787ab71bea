import { Refusal } from '../../../billing/refusal.ts';
import { checkAdvanceDays } from '../../../billing/subscriptions/billIn.ts';
import { changedComponents } from '../../../billing/subscriptions/proration.ts';
import { PREVIEW_LASTS } from '../../../billing/subscriptions/selfService.ts';
import { cyclesBegun } from '../../../billing/subscriptions/subscription.ts';
import { checkContractEnd, checkEnds } from '../../../billing/time/latestPeriods.ts';
import { checkSnapDay, startsShort } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import type { WrittenCreditNote } from '../../creditNotes/issuing.ts';
import { keepPastPrices } from '../prices/pastPrices.ts';
import { applyPrice, type FoundPriceChange, isOtherInterval } from '../prices/price.ts';
import { checkCountsFrom, writeProration } from '../prices/proration.ts';
import { beginContract, reanchor } from '../steps/anchor.ts';
import { billUsed } from '../steps/arrears.ts';
import { updateRates } from '../usage/usageRates.ts';
import { pricesOf } from './components.ts';
import { contentOf, repriceComponents } from './content.ts';
import { revokeAhead } from './revoking.ts';

/** A change of the price, with the documents that it wrote and the caller numbers. */
export interface PricedChange {
  /** Whether it wrote pending lines. */
  isProrated: boolean;
  /** Whether periods are counted anew from now. */
  restarts: boolean;
  /** The bill of what was used in arrears, before periods restart; null: none. */
  used: WrittenBill | null;
  /** The credit note for a period that was billed ahead at another interval; null: none. */
  credit: WrittenCreditNote | null;
}

/**
 * Changes the price of a locked subscription. Prorates it with pending lines, unless `prorate` is false. In arrears, the bill of the period
 * gets lines for each price instead. A plan of another interval restarts a started subscription: its first period begins now. The caller
 * takes due steps before, and records the event and the bills after it. Refuses an amount or a proration date that does not fit, a contract
 * that the change would make invalid, a proration date before the last hour with a restart, another interval for a contract that waits for
 * its renewal, and missing or needless `cycles`.
 */
export async function changePrice(
  em: EntityManager,
  locked: LockedSubscription,
  change: FoundPriceChange,
): Promise<PricedChange> {
  const { subscription, moment } = locked;
  const before = pricesOf(locked);
  const from = change.prorationDate ?? moment.now;
  const isArrears = subscription.billIn === 'arrears';
  if (change.prorationDate) checkCountsFrom(locked, from);
  const prorates = change.prorate !== false;
  const isNewInterval = isOtherInterval(locked.plan, change.plan ?? locked.plan);
  const restarts = isNewInterval && subscription.anchorAt <= moment.now;
  if (restarts && from.getTime() <= moment.now.getTime() - PREVIEW_LASTS)
    throw new Refusal(
      'parameter_invalid',
      'A change of the interval counts from now: omit proration_date, or send as_of of a preview of the last hour',
      'proration_date',
    );
  const used = restarts ? await billUsed(em, locked, { until: moment.now }) : null;
  const credit = isNewInterval ? await revokeAhead(em, locked) : null;
  const contentBefore = isArrears && prorates && !restarts ? await contentOf(em, locked) : null;
  const isCredited =
    prorates && restarts && !isArrears && (await writeProration(em, locked, { before, after: [], from }));
  await applyPrice(em, locked, change);
  await updateRates(em, locked, usageFrom(locked));
  if (isNewInterval) beginInterval(locked, { restarts, cycles: change.cycles ?? null });
  else changeCycles(locked, change.cycles);
  await repriceComponents(em, locked);
  const after = pricesOf(locked);
  const changed = changedComponents(before, after);
  if (changed.ended.length + changed.begun.length === 0) return { isProrated: isCredited, restarts, used, credit };
  subscription.changedAt = from;
  if (contentBefore) keepPastPrices(locked, { ...changed, lines: contentBefore.lines, from: from.getTime() });
  const goesOn = prorates && !restarts && !isArrears;
  const isProrated = goesOn ? await writeProration(em, locked, { before, after, from }) : isCredited;
  return { isProrated, restarts, used, credit };
}

/** Since when a change of metered plans counts: now, because records until now have their price; before the start, from the start. */
function usageFrom({ subscription, moment }: LockedSubscription): Date {
  const startAt = subscription.startAt ?? subscription.anchorAt;
  return new Date(Math.max(startAt.getTime(), moment.now.getTime()));
}

/** Counts periods in the interval of a new plan. A running contract ends with the old interval, and another one begins. */
function beginInterval(
  locked: LockedSubscription,
  { restarts, cycles }: { restarts: boolean; cycles: number | null },
): void {
  const { subscription } = locked;
  checkSnapDay(subscription.snapDay ?? null, locked.plan.interval, 'plan');
  checkAdvanceDays(subscription, locked.plan, 'plan');
  if (subscription.pendingRenewal)
    throw new Refusal('state_conflict', 'The interval cannot change while the contract waits for its renewal', 'plan');
  if (subscription.cycles && cycles === null)
    throw new Refusal(
      'parameter_missing',
      'Cycles missing: a change of the interval ends the contract, and another one begins',
      'cycles',
    );
  if (!subscription.cycles && cycles !== null)
    throw new Refusal('state_conflict', 'Subscription has no contract', 'cycles');
  if (restarts) restart(locked);
  else subscription.startsShort = startsShort(stateOf(locked).schedule);
  if (cycles !== null) beginContract(locked, cycles);
  checkEnds(stateOf(locked), { period: 'plan', contract: 'cycles' });
}

/** Counts periods from now. During a pause none begins: the period before, if it has not ended, ends now. */
function restart(locked: LockedSubscription): void {
  const { subscription, moment } = locked;
  const { paused, periodStartAt, periodEndAt } = subscription;
  reanchor(locked, moment.now);
  if (!paused || !periodStartAt || !periodEndAt) return;
  const endAt = Math.min(periodEndAt.getTime(), moment.now.getTime());
  Object.assign(subscription, { periodStartAt, periodEndAt: new Date(endAt) });
}

/** Changes the number of periods of the running contract. */
function changeCycles(locked: LockedSubscription, cycles: number | null | undefined): void {
  const { subscription } = locked;
  if (cycles === undefined || cycles === (subscription.cycles ?? null)) return;
  if (cycles === null) throw new Refusal('parameter_invalid', 'The cycles of a contract cannot be removed', 'cycles');
  if (!subscription.cycles) throw new Refusal('state_conflict', 'Subscription has no contract', 'cycles');
  if (subscription.pendingRenewal)
    throw new Refusal('state_conflict', 'The contract has ended: renew the subscription', 'cycles');
  const begun = cyclesBegun(stateOf(locked));
  if (cycles < begun) throw new Refusal('parameter_invalid', `${begun} cycles have already begun: ${cycles}`, 'cycles');
  subscription.cycles = cycles;
  checkContractEnd(stateOf(locked), 'cycles');
}
