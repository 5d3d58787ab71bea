import type { z } from 'zod';
import { MOST_LINES } from '../../../billing/limits.ts';
import { renewalModes, resumeModes } from '../../../billing/subscription.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { shipTo } from '../documents/shipTo.ts';
import { newLineItem } from '../lineItems/schema.ts';

const computed = [
  'id',
  'object',
  'period_start',
  'period_end',
  'canceled_at',
  'status',
  'recurring_total',
  'mrr',
  'url',
];
const contract = ['contract_period_start', 'contract_period_end', 'pending_renewal'];
const readOnly = [...computed, ...contract, 'created_at', 'updated_at'];

/** Fields that only a later version supports: add-ons. */
const later = {
  addons: [],
};

/** Maximum number of discounts, and of taxes. */
const MOST = 20;

/** Number of units of the plan. */
const quantity = fields.wholeNumber(0, 1_000_000_000);

/** Number of periods of a contract. */
const cycles = fields.wholeNumber(1, 10_000);

const renewal = {
  contract_renewal_mode: fields.described(
    fields.choice(...renewalModes),
    'Renewal at the end of the contract: `auto`: another one; `renew_once`: another one, then the end; `manual`: it waits for `POST /subscriptions/{id}/renew`; `none`: the subscription is finished',
  ),
  contract_renewal_cycles: fields.described(
    cycles,
    'Number of periods of the next contract; null: as many as of this one',
  ),
};

/** Fields of a new subscription and of its preview: the sources of its price. */
const priced = {
  plan: fields.required(fields.code),
  quantity: fields.withDefault(quantity, 1),
  amount: fields.described(
    fields.unitPrice,
    'Price per unit and period; required for a plan with `pricing_mode` `custom`, refused otherwise; in major currency units',
  ),
  discounts: fields.list(fields.required(fields.code), MOST),
  taxes: fields.list(fields.required(fields.code), MOST),
};

export const newSubscription = object(
  {
    customer: fields.required(fields.id),
    ...priced,
    start_date: fields.timestamp,
    cycles,
    ...renewal,
    snap_to_nth_day: fields.described(
      fields.wholeNumber(1, 366),
      'Day on which periods start: 1 (Monday) to 7 for weekly plans, 1 to 31 for monthly, 1 to 366 for yearly ones; a shorter week, month or year ends with it',
    ),
    paused: fields.withDefault(fields.boolean, false),
    cancel_at_period_end: fields.withDefault(fields.boolean, false),
    ship_to: shipTo,
    backfill: fields.described(
      fields.boolean,
      'True: bill more than twelve missed periods of a start in the past; each on its own invoice, charged at most one a day',
    ),
    metadata: fields.withDefault(fields.metadata, {}),
  },
  {
    readOnly,
    later: { ...later, bill_in: 'advance', bill_in_advance_days: 0, resume_at: null, resume_mode: 'continue' },
  },
);

export const subscriptionPreview = object(
  {
    customer: fields.described(fields.id, 'Id of the customer; absent: a new customer in the country of the account'),
    ...priced,
    pending_line_items: fields.list(newLineItem, MOST_LINES),
  },
  { later },
);

/** The sources of the price in a request, as commands take them. */
export function pricedOf(body: Pick<z.output<typeof newSubscription>, keyof typeof priced>) {
  const { plan: planCode, quantity, amount = null, discounts, taxes } = body;
  return { planCode, quantity, amount, discounts: discounts ?? [], taxes: taxes ?? [] };
}

const FIXED = 'Cannot be changed yet; the current value is accepted';

export const subscriptionChange = object(
  {
    paused: fields.resettable(fields.boolean, false),
    resume_at: fields.described(
      fields.timestamp,
      'Date on which a paused subscription resumes by itself; UNIX time in seconds',
    ),
    resume_mode: fields.resettable(
      fields.described(
        fields.choice(...resumeModes),
        'Billing after the pause: `continue`: the next period that begins; `new`: a period that begins at once, from which the others are counted',
      ),
      'continue',
    ),
    cancel_at_period_end: fields.resettable(fields.boolean, false),
    discounts: fields.list(fields.required(fields.code), MOST),
    taxes: fields.list(fields.required(fields.code), MOST),
    ship_to: shipTo,
    metadata: fields.resettable(fields.metadata, {}),
    contract_renewal_mode: fields.resettable(renewal.contract_renewal_mode, 'none'),
    contract_renewal_cycles: renewal.contract_renewal_cycles,
    plan: fields.described(fields.code, FIXED),
    quantity: fields.described(quantity, FIXED),
    amount: fields.described(fields.unitPrice, `${FIXED}; in major currency units`),
    start_date: fields.described(fields.timestamp, `${FIXED}; UNIX time in seconds`),
  },
  {
    readOnly,
    fixed: ['customer', 'bill_in', 'bill_in_advance_days', 'cycles', 'snap_to_nth_day'],
    later: { ...later, prorate: true, proration_date: null },
  },
);

export const contractRenewal = object({
  cycles: fields.described(cycles, 'Number of periods of the new contract; absent or null: those agreed for renewals'),
  start: fields.described(
    fields.choice('now'),
    '`now`: periods are counted from now; absent or null: the contract starts at the end of the one before',
  ),
});
