import { couponCode, numberOf, planCode } from './oracleCatalog.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import type { Sold, State } from './subscriptionOracleState.ts';
import type { Addon } from './subscriptionOracleTerms.ts';

// Bodies of requests to the API for subscriptions of the oracle.

const seconds = (at: number) => Math.floor(at / 1000);

/** The body that creates a subscription, without its customer. */
export function newSubscription(sold: Sold): object {
  const { currency, plan, quantity = '1', amount, addons = [], discounts = [], taxes = [] } = sold;
  return {
    plan: planCode(plan, currency),
    quantity: Number(quantity),
    amount: numberOf(amount),
    addons: addons.map((addon) => addonBody(addon, currency)),
    discounts: discounts.map((coupon) => couponCode(coupon, currency)),
    taxes: taxes.map(({ id }) => id),
    start_date: seconds(sold.start),
    trial_end: sold.trialEnd === undefined ? undefined : seconds(sold.trialEnd),
    bill_in: sold.billIn,
    bill_in_advance_days: sold.billInAdvanceDays,
    snap_to_nth_day: sold.snapDay,
    cycles: sold.cycles,
    contract_renewal_mode: sold.renewalMode,
    contract_renewal_cycles: sold.renewalCycles,
    paused: sold.paused,
  };
}

/** The add-ons of the API by id of the oracle. */
export type Known = ReadonlyMap<string, { id: number; product: string }>;

/** The body that changes a subscription. `state`: the oracle before it. */
export function changeBody(
  change: Change,
  { currency, state, known }: { currency: string; state: State; known: Known },
): object {
  const { plan, quantity, amount, addons, discounts, taxes, pause, resume } = change;
  return {
    plan: plan && planCode(plan, currency),
    quantity: quantity && Number(quantity),
    amount: numberOf(amount),
    addons: addons?.map((addon) => changedAddon(addon, { currency, known })),
    discounts: discounts?.map((coupon) => couponCode(coupon, currency)),
    taxes: taxes?.map(({ id }) => id),
    cycles: change.cycles,
    contract_renewal_mode: change.renewalMode,
    contract_renewal_cycles: change.renewalCycles,
    prorate: change.prorate,
    proration_date: change.prorationDate === undefined ? undefined : seconds(change.prorationDate),
    when: change.when,
    pending_change: change.pendingChange,
    start_date: change.start === undefined ? undefined : seconds(change.start),
    cancel_at_period_end: change.cancelAtPeriodEnd,
    paused: pause?.at === 'now' ? true : resume && state.pauseAt === null ? false : undefined,
    pause_at_period_end: pause?.at === 'period_end' ? true : resume && state.pauseAt !== null ? false : undefined,
    resume_at: pause?.resumeAt === undefined ? undefined : seconds(pause.resumeAt),
    resume_mode: resume ?? pause?.resumeMode,
  };
}

function changedAddon(addon: Addon, { currency, known }: { currency: string; known: Known }): object {
  const { product, quantity, amount } = addon;
  const kept = known.get(addon.id);
  const code = 'plan' in product ? product.plan.id : product.item.id;
  if (kept?.product !== code) return addonBody(addon, currency);
  return { id: kept.id, quantity: Number(quantity), amount: numberOf(amount) };
}

function addonBody({ product, quantity, amount }: Addon, currency: string): object {
  const sold = 'plan' in product ? { plan: planCode(product.plan, currency) } : { catalog_item: product.item.id };
  return { ...sold, quantity: Number(quantity), amount: numberOf(amount) };
}
