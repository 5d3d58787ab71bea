import { subscriptionStatuses } from '../../../billing/subscription.ts';
import * as fields from '../../framework/shape.ts';
import { coupon } from '../coupons/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

const ends = 1_798_761_600;

const term = {
  cycles: fields.unset(fields.integer('Periods that are billed; null: until it is canceled', 12)),
  period_start: fields.nullable(fields.timestamp('Start of the current period')),
  period_end: fields.nullable(fields.timestamp('End of the current period, where the next one starts', ends)),
  cancel_at_period_end: fields.flag('Whether it ends with the current period', false),
  canceled_at: fields.unset(fields.timestamp('When it was canceled')),
  contract_period_start: fields.unset(fields.timestamp('Start of the contract')),
  contract_period_end: fields.unset(fields.timestamp('End of the contract', ends)),
  contract_renewal_cycles: fields.unset(fields.integer('Periods of the next contract', 12)),
  contract_renewal_mode: fields.choice('How the contract is renewed', 'none', 'auto', 'manual', 'renew_once'),
};

export const subscription = fields.shape('Subscription', 'A customer on a plan, billed each period', {
  id: fields.id('Its id'),
  customer: fields.id('Whom it bills'),
  plan: fields.code('What it bills', 'gold'),
  amount: fields.unset(fields.number('Price, when that of the plan is agreed', 49)),
  start_date: fields.timestamp('When it starts or started'),
  bill_in: fields.choice('At which end of a period it bills', 'advance', 'arrears'),
  bill_in_advance_days: fields.integer('Days before a period on which it bills', 0),
  quantity: fields.integer('How many of the plan', 1),
  addons: fields.emptyList('What it bills beside the plan'),
  discounts: fields.listOf(coupon, 'Coupons, as they were when they were attached; those that have run out are gone'),
  ...term,
  status: fields.oneOf('Where it is', 'active', subscriptionStatuses),
  paused: fields.flag('Whether it bills nothing for now', false),
  taxes: fields.listOf(
    taxRate,
    'Tax rates, as they were when they were chosen; none: those of the customer, else of its place',
  ),
  ship_to: fields.unset(fields.record('Shipping address')),
  recurring_total: fields.number('What each period costs, with taxes', 49),
  mrr: fields.number('What it brings in a month, without taxes', 49),
  url: fields.unset(fields.text('Where the customer manages it', 'https://billing.example/portal')),
  snap_to_nth_day: fields.unset(fields.integer('Day of the month on which it bills', 1)),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
