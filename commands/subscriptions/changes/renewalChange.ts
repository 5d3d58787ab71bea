import { Refusal } from '../../../billing/refusal.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  type LockedSubscription,
  recordSubscription,
  refuseOver,
  replanSubscription,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import type { Unnumbered } from '../../bills/bills.ts';
import { differs } from '../../kernel/changes.ts';
import { catchUp } from '../steps/billing.ts';
import { movesStart } from '../steps/starting.ts';
import { thresholdsOfChange } from '../usage/usageThresholds.ts';
import { reasonAfter } from './customersChoices.ts';
import { keepChange } from './pendingChange.ts';
import { giveBackCoupons, pendingDiscounts } from './pendingCoupons.ts';
import { pauseOf, type ReadChange, unchangedFields } from './requestedChange.ts';
import { revokeUnlessBegins } from './revoking.ts';

/** Keeps a change until the next period or contract begins. Refuses changes of fields that cannot wait. */
export async function changeAtRenewal(
  em: EntityManager,
  locked: LockedSubscription,
  { change, terms, price, redeemed, caught }: ReadChange,
): Promise<Unnumbered> {
  const { subscription } = locked;
  const { cancelAtPeriodEnd, metadata } = change;
  const { discounts, taxes, ...others } = terms;
  const usageThresholds = thresholdsOfChange(locked, change);
  const course = { cancelAtPeriodEnd, ...reasonAfter(subscription, change), ...pauseOf(locked, change) };
  if (differs(subscription, { metadata, usageThresholds, ...others, ...course }) || movesStart(locked, change))
    throw new Refusal(
      'parameter_invalid',
      'Only the price, discounts and taxes can change with the renewal: send other changes separately',
      'when',
    );
  if (change.dropsPending)
    throw new Refusal('parameter_invalid', 'Send either when: renewal or pending_change: null', 'pending_change');
  if (change.prorationDate)
    throw new Refusal('parameter_invalid', 'A change with the renewal is not prorated', 'proration_date');
  const had = new Set(subscription.discounts.map(({ coupon }) => coupon.id));
  const bills = [...caught, ...(await catchUp(em, locked))];
  refuseOver(subscription);
  const before = subscriptionEventObject(locked);
  const earlier = subscription.pendingChange ?? null;
  const dropped = unchangedFields(locked, { change, price, terms });
  const chosen = discounts && (await pendingDiscounts(em, subscription, { chosen: discounts, had, redeemed }));
  await keepChange(em, locked, { price, discounts: chosen, taxes, dropped });
  await giveBackCoupons(em, subscription, earlier);
  if (!differs({ pendingChange: earlier }, { pendingChange: subscription.pendingChange ?? null })) {
    if (bills.length > 0) await replanSubscription(em, locked, {});
    return { bills, credit: null };
  }
  const credit = await revokeUnlessBegins(em, locked);
  recordSubscription(em, locked, { type: 'subscription.updated', before });
  await replanSubscription(em, locked, {});
  return { bills, credit };
}
