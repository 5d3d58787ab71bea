import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Answer, startApi, type TestApi } from '../../support/api.ts';
import { creditNoteWithoutIdentity, withoutAddonIds, withoutIdentity } from '../../support/dryRuns.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

/**
 * Random subscriptions and changes of them: a dry run returns the same bills as the request and the steps that the process takes after it,
 * each at the time of its wake-up.
 */

const DAY = 86_400;
const BEGIN = Date.UTC(2027, 0, 20) / 1000;
/** Number of invoices that each dry run returns. */
const COUNT = 12;

const tiers = [{ max_qty: 2, unit_cost: 3.35 }, { max_qty: 5, unit_cost: 2.1 }, { unit_cost: 1.05 }];
const perUnit = { id: 'unit-month', interval: 'month', interval_count: 1, pricing_mode: 'per_unit', amount: 10.05 };
const plans = [
  perUnit,
  { id: 'unit-weeks', interval: 'week', interval_count: 2, pricing_mode: 'per_unit', amount: 3.333 },
  { id: 'unit-days', interval: 'day', interval_count: 10, pricing_mode: 'per_unit', amount: 1 },
  { id: 'volume-month', interval: 'month', interval_count: 1, pricing_mode: 'volume', tiers },
  { id: 'tiered-quarter', interval: 'month', interval_count: 3, pricing_mode: 'tiered', tiers },
  { id: 'tiered-year', interval: 'year', interval_count: 1, pricing_mode: 'tiered', tiers },
  { id: 'custom-month', interval: 'month', interval_count: 1, pricing_mode: 'custom' },
];
/** A plan of each interval, as an add-on or as another main plan. */
const rhythmOf = ({ interval, interval_count }: Rhythm) => `seats-${interval_count}-${interval}`;
const seats = [...new Map(plans.map((plan) => [rhythmOf(plan), plan])).values()].map((plan) => {
  const { interval, interval_count } = plan;
  return { id: rhythmOf(plan), interval, interval_count, amount: 2.22 };
});
const coupons = [
  { id: 'always', value: 10, is_percent: true },
  { id: 'once', value: 3, is_percent: false, duration: 1 },
  { id: 'thrice', value: 12.5, is_percent: true, duration: 3 },
];
const rates = [
  { id: 'vat', value: 19 },
  { id: 'city', value: 1.5 },
  { id: 'gross', value: 7, inclusive: true },
];

let now = BEGIN;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  for (const plan of [...plans, ...seats]) await api.sandbox.make('/plans', { name: plan.id, ...plan });
  await api.sandbox.make('/items', { id: 'line', name: 'Line', unit_cost: 1.255 });
  for (const coupon of coupons) await api.sandbox.make('/coupons', { name: coupon.id, ...coupon });
  for (const rate of rates) await api.sandbox.make('/tax_rates', { name: rate.id, ...rate });
});
afterAll(() => api.close());

interface Rhythm {
  interval: string;
  interval_count: number;
}

/** A subscription with its customer, and the time of a change. */
interface Sample {
  plan: Rhythm & { id: string; pricing_mode: string };
  quantity: number;
  /** Days from now to its start; null: it starts now. */
  startsIn: number | null;
  snapDay: number | null;
  /** Days of its trial; 0: none. */
  trial: number;
  /** Its add-ons: plans and items. */
  addons: ('seats' | 'line')[];
  billing: object;
  contract: object;
  discounts: string[];
  taxes: string[];
  /** Credit balance of the customer. */
  credit: number;
  /** Amount of its pending line; 0: none. */
  pending: number;
  /** Days from the creation to the change. */
  after: number;
  /** Whether the process has not taken the steps that are due before the change. */
  isLate: boolean;
}

const drawn = fc.sample(
  fc.record<Sample>({
    plan: fc.constantFrom(...plans),
    quantity: fc.integer({ min: 0, max: 7 }),
    startsIn: fc.constantFrom(null, null, 10, -40),
    snapDay: fc.constantFrom(null, null, 1, 5, 31),
    trial: fc.constantFrom(0, 0, 14, 45),
    addons: fc.subarray<'seats' | 'line'>(['seats', 'line']),
    billing: fc.constantFrom({}, {}, { bill_in_advance_days: 4 }, { bill_in: 'arrears' }),
    contract: fc.oneof(
      fc.constant({}),
      fc.record({
        cycles: fc.integer({ min: 1, max: 5 }),
        contract_renewal_mode: fc.constantFrom('auto', 'renew_once', 'manual', 'none'),
        contract_renewal_cycles: fc.constantFrom(null, 1, 2),
      }),
    ),
    discounts: fc.subarray(coupons.map(({ id }) => id)),
    taxes: fc.constantFrom<string[]>([], ['vat'], ['vat', 'city'], ['gross']),
    credit: fc.constantFrom(0, 0, 15),
    pending: fc.constantFrom(0, 4.5, -60),
    after: fc.integer({ min: 0, max: 100 }),
    isLate: fc.boolean(),
  }),
  { seed: 16, numRuns: 50 },
);
const samples = drawn.map((sample, index): [number, Sample] => [index, sample]);

type Change = (sample: Sample) => [method: string, path: string, body?: object];

/** Changes of a running subscription, by what they do. Each is tried on two of the samples. */
const changes: Record<string, Change> = {
  'another quantity': () => ['PATCH', '', { quantity: 9 }],
  'another quantity, billed at once': () => ['PATCH', '', { quantity: 9, prorate: 'now' }],
  'another quantity, not prorated': () => ['PATCH', '', { quantity: 9, prorate: false }],
  'another quantity since yesterday': () => ['PATCH', '', { quantity: 9, proration_date: now - DAY }],
  'another quantity with the renewal': () => ['PATCH', '', { quantity: 9, when: 'renewal' }],
  'another plan': ({ plan }) => ['PATCH', '', { plan: rhythmOf(plan) }],
  'another interval': ({ plan, contract }) => ['PATCH', '', otherInterval(plan, contract)],
  'other add-ons': ({ plan }) => ['PATCH', '', { addons: [{ plan: rhythmOf(plan), quantity: 3 }] }],
  'no add-ons': () => ['PATCH', '', { addons: [], prorate: 'now' }],
  'another end of the trial': () => ['PATCH', '', { trial_end: now + 3 * DAY }],
  'a pause': () => ['PATCH', '', { paused: true, resume_at: now + 20 * DAY }],
  'a pause without an end': () => ['PATCH', '', { paused: true }],
  'a pause and a new beginning': () => ['PATCH', '', { paused: true, resume_at: now + 33 * DAY, resume_mode: 'new' }],
  'a planned pause': ({ plan }) => ['PATCH', '', plannedPause(plan)],
  'a planned pause and a new beginning': ({ plan }) => ['PATCH', '', { ...plannedPause(plan), resume_mode: 'new' }],
  'a planned pause without an end': () => ['PATCH', '', { pause_at_period_end: true }],
  'other discounts': () => ['PATCH', '', { discounts: ['once', 'thrice'] }],
  'no discounts': () => ['PATCH', '', { discounts: [] }],
  'other taxes': () => ['PATCH', '', { taxes: ['city'] }],
  'an end of the period': () => ['PATCH', '', { cancel_at_period_end: true }],
  'a cancellation': () => ['DELETE', ''],
  'a cancellation that credits the rest': () => ['DELETE', '?prorate=true'],
  'a cancellation that bills the remaining periods': () => ['DELETE', '?bill_remaining=true'],
  'a renewal': () => ['POST', '/renew', { cycles: 4 }],
  'a renewal from now': () => ['POST', '/renew', { start: 'now' }],
};
const names = Object.keys(changes);

const monthly = { plan: perUnit, startsIn: null, snapDay: null, trial: 0, quantity: 3, contract: {}, isLate: false };
const planned = { startsIn: null, trial: 0, contract: {} };
const waiting = { ...monthly, billing: {}, after: 40, contract: { cycles: 1, contract_renewal_mode: 'manual' } };
/** Terms without which a change is refused or its dry run returns nothing. */
const needs: Record<string, Partial<Sample>> = {
  'another end of the trial': { startsIn: null, trial: 45, after: 5 },
  'a pause without an end': { ...monthly, billing: {}, after: 40, isLate: true },
  'a planned pause': planned,
  'a planned pause and a new beginning': planned,
  'a planned pause without an end': { ...monthly, billing: {}, after: 40, isLate: true },
  'a cancellation': { ...monthly, billing: { bill_in: 'arrears' }, after: 40 },
  'a cancellation that credits the rest': { ...monthly, billing: {}, after: 40 },
  'a cancellation that bills the remaining periods': { startsIn: null, trial: 0, after: 5, contract: { cycles: 5 } },
  'a renewal': waiting,
  'a renewal from now': waiting,
};
const changed = samples.map(([index, sample]) => [names[index % names.length] ?? '', index, sample] as const);

function otherInterval(plan: Rhythm, contract: object): object {
  const to = plan.interval === 'week' ? 'unit-days' : 'unit-weeks';
  return { plan: to, amount: null, addons: [], ...('cycles' in contract ? { cycles: 3 } : {}) };
}

/** A pause from the end of the period, that ends after it. */
function plannedPause({ interval }: Rhythm): object {
  return { pause_at_period_end: true, resume_at: now + (interval === 'year' ? 400 : 110) * DAY };
}

const highestSnapDay: Record<string, number> = { week: 7, month: 31, year: 366 };

/** Creates the customer of a sample. Returns the body that creates its subscription. */
async function bodyOf(sample: Sample) {
  const { plan, quantity, startsIn, snapDay, trial, addons, billing, contract, discounts, taxes } = sample;
  const { credit, pending } = sample;
  const customer = (await api.sandbox.make('/customers', { name: 'Random', currency: 'usd' })).id;
  if (credit > 0) await api.sandbox.make('/credit_balance_adjustments', { customer, amount: credit });
  const line = { name: 'Pending', unit_cost: pending };
  if (pending !== 0) await api.sandbox.make(`/customers/${customer}/line_items`, line);
  const canSnap = snapDay !== null && snapDay <= (highestSnapDay[plan.interval] ?? 0);
  return {
    customer,
    plan: plan.id,
    quantity,
    amount: plan.pricing_mode === 'custom' ? 8.25 : null,
    start_date: startsIn === null ? null : now + startsIn * DAY,
    snap_to_nth_day: canSnap ? snapDay : null,
    ...(trial > 0 ? { trial_days: trial } : {}),
    addons: addons.map((one) => (one === 'line' ? { catalog_item: one, quantity: 2 } : { plan: rhythmOf(plan) })),
    ...billing,
    ...contract,
    discounts,
    taxes,
  };
}

const accountId = () => api.sandbox.account.id;

const takeSteps = (id: number) => takeSubscriptionSteps(api.em, { accountId: accountId(), id }, new Date(now * 1000));

/** UNIX seconds of the next wake-up of a subscription; null: it has none. */
async function wakesAt(id: number): Promise<number | null> {
  const next = `select min(at) as at from wakeup where account_id = ? and process = 'subscription' and subject_id = ?`;
  const [row] = await api.em.fork().execute<{ at: string | null }[]>(next, [accountId(), id]);
  return row?.at ? new Date(row.at).getTime() / 1000 : null;
}

/** Takes the due steps and those after them, each at its time, while `goesOn` at the time of the next one. */
async function drive(id: number, goesOn: (next: number) => Promise<boolean> | boolean): Promise<void> {
  for (;;) {
    await takeSteps(id);
    const next = await wakesAt(id);
    if (next === null || !(await goesOn(next))) return;
    now = next;
  }
}

async function documentsOf(kind: 'invoices' | 'credit_notes', customer: number): Promise<Answer['body'][]> {
  return (await api.sandbox.get(`/${kind}?filter[customer]=${customer}&sort=id asc`)).body;
}

async function countInvoices(customer: number): Promise<number> {
  const all = 'select count(*)::int as count from invoice where account_id = ? and customer_id = ?';
  const [row] = await api.em.fork().execute<{ count: number }[]>(all, [accountId(), customer]);
  return row?.count ?? 0;
}

let told = 0;

interface Asked {
  /** Name of the change. */
  name: string;
  method: string;
  path: string;
  body?: object | undefined;
}

/** Largest number of documents that a dry run of each change told, which the request then made. */
const toldBy = new Map<string, number>();

/** Compares a dry run with the request and the bills after it. Returns the answer to the request. */
async function compare(customer: number, { name, method, path, body }: Asked): Promise<Answer> {
  const existing = await documentsOf('invoices', customer);
  const before = existing.length;
  const notesBefore = (await documentsOf('credit_notes', customer)).length;
  const dry = await api.sandbox.request(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=${COUNT}`, body);
  const real = await api.sandbox.request(method, path, body);
  if (real.status >= 400) {
    expect([dry.status, dry.body]).toEqual([real.status, real.body]);
    return real;
  }
  const url = method === 'POST' && path === '/subscriptions' ? null : real.body.url; // a new one has no page yet
  expect(dry.body.subscription.url).toBe(url);
  const shown = { ...dry.body.subscription, id: real.body.id, url: real.body.url };
  expect([dry.status, withoutAddonIds(shown)]).toEqual([200, withoutAddonIds(real.body)]);
  await drive(real.body.id, async () => (await countInvoices(customer)) < before + COUNT);
  const bills = (await documentsOf('invoices', customer)).slice(before, before + COUNT);
  expect(dry.body.invoices.map(withoutIdentity)).toEqual(bills.map(withoutIdentity));
  const notes = (await documentsOf('credit_notes', customer)).slice(notesBefore);
  const shownNotes = notes.map((note) => creditNoteWithoutIdentity(note, existing));
  expect(dry.body.credit_notes.map(withoutIdentity)).toEqual(shownNotes);
  told += bills.length;
  toldBy.set(name, Math.max(toldBy.get(name) ?? 0, bills.length + notes.length));
  return real;
}

test.each(samples.slice(0, 20))('subscription %i: a dry run of its creation returns its bills', async (_, sample) => {
  now = BEGIN;
  const body = await bodyOf(sample);
  const real = await compare(body.customer, { name: 'a creation', method: 'POST', path: '/subscriptions', body });
  expect(real.status).toBe(201);
});

test.each(changed)('a dry run of %s returns the bills after it, for subscription %i', async (name, _, sample) => {
  now = BEGIN;
  const made = { ...sample, ...needs[name] };
  const body = await bodyOf(made);
  const { id } = await api.sandbox.make('/subscriptions', body);
  const at = BEGIN + made.after * DAY;
  if (!made.isLate) await drive(id, (next) => next <= at);
  now = at;
  const [method, path, change] = changes[name]?.(made) ?? ['GET', ''];
  const asked = { name, method, path: `/subscriptions/${id}${path}`, body: change };
  const { status } = await compare(body.customer, asked);
  if (name in needs) expect(status).toBe(200);
});

test('the dry runs returned many bills, and those of each change at least one document', () => {
  expect(names.filter((name) => !toldBy.get(name))).toEqual([]);
  expect(told).toBeGreaterThan(250);
  expect(api.faults).toEqual([]);
});
