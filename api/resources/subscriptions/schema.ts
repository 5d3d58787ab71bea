import type { z } from 'zod';
import { MOST_LINES } from '../../../billing/limits.ts';
import { billTimes } from '../../../billing/subscriptions/billIn.ts';
import type { Proration } from '../../../billing/subscriptions/proration.ts';
import { renewalModes, resumeModes } from '../../../billing/subscriptions/subscription.ts';
import { MOST_THRESHOLDS } from '../../../billing/usage/usageThresholds.ts';
import type { RequestedThreshold } from '../../../commands/subscriptions/usage/usageThresholds.ts';
import * as fields from '../../body/fields.ts';
import { readBoolean, textOf, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import { shipTo } from '../documents/fields.ts';
import { newLineItem } from '../lineItems/resource.ts';
import { addonsOf, changedAddons, newAddons, price, quantity } from './addonFields.ts';
import { reason } from './cancellation.ts';

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
const readOnlyOfNew = [...readOnly, ...Object.keys(reason)];

/** Maximum number of discounts, and of taxes. */
const MOST = 20;

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

/** More than the days of the longest plan. */
const MOST_ADVANCE_DAYS = 365 * 365;

const trial = {
  trial_days: fields.described(
    fields.wholeNumber(0, 730),
    'Days from the start during which nothing is billed; the periods are counted from their end',
  ),
  trial_end: fields.described(
    fields.timestamp,
    'End of the trial, instead of `trial_days`; the periods are counted from there; UNIX time in seconds',
  ),
};

const backfill = fields.described(
  fields.boolean,
  'True: bill more than twelve missed periods of a start in the past; each on its own invoice, charged at most one a day. Cancellation, a pause and a customer that becomes inactive stop it',
);

const pauseAtPeriodEnd = fields.described(
  fields.boolean,
  'True: it pauses at the end of the current period or trial, before the start of the first one; not together with `cancel_at_period_end`',
);

/** Fields of a new subscription and of its preview: the sources of its price. */
const priced = {
  plan: fields.required(fields.code),
  quantity: fields.withDefault(quantity, 1),
  amount: price,
  addons: newAddons,
  discounts: fields.list(fields.required(fields.code), MOST),
  taxes: fields.list(fields.required(fields.code), MOST),
};

const usageThresholds = fields.described(
  fields.list(
    object({
      plan: fields.described(fields.code, 'Id of a metered plan of the subscription; absent: its own plan'),
      quantity: fields.required(
        fields.described(
          fields.positiveQuantity,
          'Quantity of usage in one period that is announced when it is reached, in units',
        ),
      ),
    }),
    MOST_THRESHOLDS,
  ),
  'Usage that the event `subscription.usage_threshold` announces, once for each period; empty: none',
);

export const newSubscription = object(
  {
    customer: fields.required(fields.id),
    ...priced,
    start_date: fields.timestamp,
    ...trial,
    bill_in: fields.withDefault(
      fields.described(
        fields.choice(...billTimes),
        'Time of the bill of a period: `advance`: its start, or `bill_in_advance_days` before; `arrears`: its end',
      ),
      'advance',
    ),
    bill_in_advance_days: fields.withDefault(
      fields.described(
        fields.wholeNumber(0, MOST_ADVANCE_DAYS),
        'Days before the start of a period at which it is billed; below 1, 7, 28 or 365 for each day, week, month or year of the plan; 0 with `arrears`',
      ),
      0,
    ),
    cycles,
    ...renewal,
    snap_to_nth_day: fields.described(
      fields.wholeNumber(1, 366),
      'Day on which periods start: 1 (Monday) to 7 for weekly plans, 1 to 31 for monthly, 1 to 366 for yearly ones; a shorter week, month or year ends with it',
    ),
    paused: fields.withDefault(fields.boolean, false),
    pause_at_period_end: fields.withDefault(pauseAtPeriodEnd, false),
    cancel_at_period_end: fields.withDefault(fields.boolean, false),
    ship_to: shipTo,
    usage_thresholds: usageThresholds,
    backfill,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly: readOnlyOfNew, later: { resume_at: null, resume_mode: 'continue' } },
);

export const subscriptionPreview = object({
  customer: fields.described(fields.id, 'Id of the customer; absent: a new customer in the country of the account'),
  ...priced,
  pending_line_items: fields.list(newLineItem, MOST_LINES),
});

/** The thresholds of a request. Null: none; undefined: they stay. */
export function thresholdsOf(
  sent: z.output<typeof newSubscription>['usage_thresholds'],
): RequestedThreshold[] | null | undefined {
  if (!sent) return sent;
  return sent.map(({ plan, quantity }) => ({ planCode: plan ?? null, quantity }));
}

/** The sources of the price in a request, as commands take them. */
export function pricedOf(body: Pick<z.output<typeof newSubscription>, keyof typeof priced>) {
  const { plan: planCode, quantity, amount = null, discounts, taxes } = body;
  const addons = addonsOf(body.addons ?? []);
  return { planCode, quantity, amount, addons, discounts: discounts ?? [], taxes: taxes ?? [] };
}

/** Way to bill a change: true, false or `now`. */
const prorate = fields.described(
  fields.field(readProration, { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['now'] }] }),
  'Billing of a changed price: true: a credit for the rest of the period and a charge at the new price, on the next invoice; `now`: both on an invoice at once; false: neither',
);

/** A pending change that a client sends back. Only its absence has a meaning. */
const pendingChange = fields.field(
  (value) =>
    typeof value === 'object' && !Array.isArray(value) && !isSent(value) ? value : unfit('must be an object'),
  { type: 'object' },
);

function readProration(value: unknown): Proration {
  return textOf(value) === 'now' ? 'now' : readBoolean(value);
}

export const subscriptionChange = object(
  {
    paused: fields.resettable(fields.boolean, false),
    pause_at_period_end: fields.resettable(pauseAtPeriodEnd, false),
    resume_at: fields.described(
      fields.timestamp,
      'Date on which a paused subscription resumes by itself; after the end of the period with `pause_at_period_end`; UNIX time in seconds',
    ),
    resume_mode: fields.resettable(
      fields.described(
        fields.choice(...resumeModes),
        'Billing after the pause: `continue`: the next period that begins; `new`: a period that begins at once, from which the others are counted',
      ),
      'continue',
    ),
    cancel_at_period_end: fields.resettable(fields.boolean, false),
    ...reason,
    addons: changedAddons,
    discounts: fields.list(fields.required(fields.code), MOST),
    taxes: fields.list(fields.required(fields.code), MOST),
    ship_to: shipTo,
    usage_thresholds: usageThresholds,
    metadata: fields.resettable(fields.metadata, {}),
    contract_renewal_mode: fields.resettable(renewal.contract_renewal_mode, 'none'),
    contract_renewal_cycles: renewal.contract_renewal_cycles,
    plan: fields.described(
      fields.kept(fields.code),
      'Id of another plan in the same currency. A plan of another interval begins a period at once',
    ),
    quantity: fields.resettable(quantity, 1),
    amount: price,
    cycles: fields.described(
      cycles,
      'Number of periods of the contract, at least those already billed; required for a change of the interval within a contract, which begins another one',
    ),
    when: fields.described(
      fields.choice('renewal'),
      '`renewal`: plan, quantity, amount, add-ons, cycles, discounts and taxes change with the next period, in a contract with the next contract; absent or null: now',
    ),
    pending_change: fields.described(
      pendingChange,
      'Null: drops the pending change; an object is ignored: send `when` to edit it',
    ),
    prorate: fields.resettable(prorate, true),
    proration_date: fields.described(
      fields.timestamp,
      'Time from which a change of the price counts: within the current period, not before the last change in it, not in the future; absent or null: now; UNIX time in seconds',
    ),
    start_date: fields.kept(
      fields.described(
        fields.timestamp,
        'Start; can be moved until it has come; a time that has passed starts the subscription at once; UNIX time in seconds',
      ),
    ),
    trial_end: fields.described(
      fields.timestamp,
      'End of the trial; can be moved to another time in the future until it has come; UNIX time in seconds',
    ),
    backfill: fields.resettable(
      fields.described(
        fields.boolean,
        'With a new `start_date`: true bills more than twelve missed periods. With `paused: false` after a pause that stopped a backfill: true bills the missed periods, false leaves them out',
      ),
      false,
    ),
  },
  {
    readOnly,
    fixed: ['customer', 'bill_in', 'bill_in_advance_days', 'snap_to_nth_day'],
  },
);

export const contractRenewal = object({
  cycles: fields.described(cycles, 'Number of periods of the new contract; absent or null: those agreed for renewals'),
  start: fields.described(
    fields.choice('now'),
    '`now`: periods are counted from now; absent or null: the contract starts at the end of the one before',
  ),
});
