import { billTimes } from '../../../billing/subscriptions/billIn.ts';
import { cancellationReasons } from '../../../billing/subscriptions/selfService.ts';
import { renewalModes, resumeModes, subscriptionStatuses } from '../../../billing/subscriptions/subscription.ts';
import * as shown from '../../framework/shape.ts';
import { coupon } from '../coupons.ts';
import { shownShipTo } from '../documents/shape.ts';
import { invoice } from '../invoices/shape.ts';
import { taxRate } from '../taxRates.ts';

const ends = 1_798_761_600;

const term = {
  cycles: shown.unset(shown.integer('Number of periods to bill; null: until it is canceled', 12)),
  period_start: shown.nullable(shown.timestamp('Start of the current period, or of the trial')),
  period_end: shown.nullable(
    shown.timestamp('End of the current period or trial (exclusive) and start of the next period', ends),
  ),
  cancel_at_period_end: shown.flag(
    'True: it is canceled at the end of the contract, without one at the end of the period',
    false,
  ),
  canceled_at: shown.unset(shown.timestamp('When it was canceled; null: it is not canceled')),
  cancellation_reason: shown.unset(
    shown.oneOf('Reason why the customer cancels it; null: it gave none', 'unused', cancellationReasons),
  ),
  cancellation_comment: shown.unset(
    shown.text('The reason in the words of the customer; null: none', 'We close the shop in spring'),
  ),
  contract_period_start: shown.unset(shown.timestamp('Start of the contract; null without `cycles`')),
  contract_period_end: shown.unset(shown.timestamp('End of the contract (exclusive); null without `cycles`', ends)),
  contract_renewal_cycles: shown.unset(
    shown.integer('Number of periods of the next contract; null: as many as of this one', 12),
  ),
  contract_renewal_mode: shown.oneOf('Renewal at the end of the contract', 'none', renewalModes),
  pending_renewal: shown.flag('True: the contract has ended and waits for `POST /subscriptions/{id}/renew`', false),
};

const pendingChange = shown.record(
  'The change that takes effect with the next period, in a contract with the next contract: any of `plan`, `quantity`, `amount`, `cycles`, `addons`, `discounts` and `taxes`; null: none',
  { quantity: 5 },
);

export const subscriptionAddon = shown.shape(
  'SubscriptionAddon',
  'Add-on of a subscription: a plan or catalog item that each period bills besides the main plan',
  {
    id: shown.id('Id of the add-on', 51),
    plan: shown.nullable(shown.code('Id of the plan; null for a catalog item', 'seats')),
    catalog_item: shown.unset(shown.code('Id of the catalog item; null for a plan', 'support-hour')),
    quantity: shown.integer('Quantity of the plan or item, in units', 5),
    amount: shown.unset(
      shown.money('Price per unit and period, for a plan with `pricing_mode` `custom`; otherwise null', 49),
    ),
    description: shown.unset(shown.text('Text on the lines that bill it', 'Seats of the sales team')),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

const usageThreshold = shown.value('UsageThreshold', 'Usage in one period that is announced when it is reached', {
  plan: shown.code('Id of the metered plan', 'calls'),
  quantity: shown.number('Quantity of the period, in units', 1000),
});

const fresh = shown.shape('Subscription', 'Subscription: a customer on a plan, billed each period', {
  id: shown.id('Id of the subscription'),
  customer: shown.id('Id of the billed customer'),
  plan: shown.code('Id of the plan', 'gold'),
  amount: shown.unset(
    shown.money('Price per unit and period, for a plan with `pricing_mode` `custom`; otherwise null', 49),
  ),
  start_date: shown.timestamp('Date on which it starts: the start of its trial, otherwise of its first period'),
  trial_end: shown.unset(
    shown.timestamp('End of its trial, from which its periods are counted; null: it has no trial', ends),
  ),
  bill_in: shown.oneOf(
    'Time of the bill of a period: `advance`: its start, or `bill_in_advance_days` before; `arrears`: its end',
    'advance',
    billTimes,
  ),
  bill_in_advance_days: shown.integer('Days before the start of a period at which it is billed', 0),
  quantity: shown.integer('Quantity of the plan, in units', 1),
  addons: shown.listOf(subscriptionAddon, 'Add-ons, in the order of their lines'),
  discounts: shown.listOf(coupon, 'Coupons, as they were when they were attached; used-up coupons are removed'),
  ...term,
  status: shown.oneOf('Status of the subscription', 'active', subscriptionStatuses),
  paused: shown.flag('True: it is paused and bills nothing', false),
  pause_at_period_end: shown.flag(
    'True: it pauses at the end of the current period or trial, unless its contract ends then',
    false,
  ),
  resume_at: shown.unset(
    shown.timestamp('Date on which it resumes by itself, also from a planned pause; null: by request'),
  ),
  resume_mode: shown.oneOf(
    'Billing after a pause: the next period that begins, or a new one at once',
    'continue',
    resumeModes,
  ),
  taxes: shown.listOf(
    taxRate,
    'Tax rates, as they were when they were attached; empty: those of the customer, otherwise of its place',
  ),
  usage_thresholds: shown.listOf(
    usageThreshold,
    'Usage that the event `subscription.usage_threshold` announces, once for each period',
  ),
  pending_change: shown.unset(pendingChange),
  ship_to: shownShipTo,
  recurring_total: shown.money('Total of a regular bill, with taxes', 49),
  mrr: shown.money(
    'Monthly recurring revenue: a regular bill per month, without taxes, less coupons without an end; 0 during a trial',
    49,
  ),
  url: shown.unset(
    shown.text(
      'URL of its page for the customer; needs no key. Null: it is only foreseen',
      'https://billing.example/subscriptions/1/21/0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d',
    ),
  ),
  snap_to_nth_day: shown.unset(
    shown.integer(
      'Day of the week (1 is Monday), month or year on which its periods start; null: on the day of its start',
      1,
    ),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

export const subscription = shown.sometimes(fresh, {
  latest_invoice: shown.nullable(
    shown.one(invoice, 'The newest invoice; null: it has none; only with `include=latest_invoice`'),
  ),
});
