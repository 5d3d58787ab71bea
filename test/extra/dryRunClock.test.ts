import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestClock } from '../../client/index.ts';
import { advanceTo, clockAt } from '../support/clock.ts';
import { creditNoteWithoutIdentity, withoutIdentity } from '../support/dryRuns.ts';
import { type Answered, type Product, startProduct } from '../support/product.ts';
import { openShop, type Shop } from '../support/soldSubscriptions.ts';
import { expectSound } from '../support/soundness.ts';
import { seconds } from '../support/story.ts';
import type { Sold } from '../support/subscriptionOracleState.ts';
import { sampleCases } from '../support/subscriptionSpace.ts';

/**
 * A hundred random subscriptions: while test clocks advance, the processes issue the bills that a dry run of the creation returned. The seed
 * and the index of a subscription find it again.
 */

const SEED = 1616;
const COUNT = 100;
/** Number of invoices that each dry run returns. */
const TOLD = 6;

const DAY = 86_400;
const BEGIN = '2027-01-20T12:00:00Z';
const ZONE = 'America/St_Johns'; // half hours, and summer time from March to November

/** Intervals on the same clock have about the same length, so that no subscription bills many more periods than a dry run returns. */
const clocks = [['1 day'], ['1 week', '10 day', '2 week'], ['1 month', '3 month'], ['1 year']];

interface Compared {
  index: number;
  customer: number;
  told: Answered;
  /** Documents of the customer that there were before. */
  before: { invoices: Answered[]; notes: Answered[] };
}

/** Days after which the current period of a plan is over. */
const afterPeriod = { day: 14, week: 20, month: 110, year: 400 };

/** Changes of a running subscription. `inDays`: UNIX seconds of so many days from now. */
const changes: ((sold: Sold, inDays: (days: number) => number) => [method: string, path: string, body?: object])[] = [
  ({ quantity = 1 }) => ['PATCH', '?', { quantity: Number(quantity) + 2 }],
  ({ quantity = 1 }) => ['PATCH', '?', { quantity: Number(quantity) + 3, prorate: 'now' }],
  ({ quantity = 1 }) => ['PATCH', '?', { quantity: Number(quantity) + 1, prorate: false }],
  ({ quantity = 1 }) => ['PATCH', '?', { quantity: Number(quantity) + 4, when: 'renewal' }],
  (_, inDays) => ['PATCH', '?', { paused: true, resume_at: inDays(12), resume_mode: 'new' }],
  ({ plan }, inDays) => ['PATCH', '?', { pause_at_period_end: true, resume_at: inDays(afterPeriod[plan.interval]) }],
  () => ['PATCH', '?', { addons: [] }],
  () => ['PATCH', '?', { cancel_at_period_end: true }],
  () => ['DELETE', '?prorate=true&'],
  () => ['POST', '/renew?', { cycles: 3 }],
];

let product: Product;
let shop: Shop;

beforeAll(async () => {
  product = await startProduct();
  await product.client.patch('/account', { time_zone: ZONE });
  shop = openShop(product);
});
afterAll(() => product.close());

const samples = sampleCases({ seed: SEED, count: COUNT }, { zones: [ZONE], steps: 0 });
const all = samples.map(({ sold }, index) => ({ sold, index }));
let compared = 0;
let refused = 0;

test.each(clocks.map((every) => ({ every })))(
  'plans of $every: dry runs return the bills that a clock issues',
  async ({ every }) => {
    const clock = await clockAt(product, BEGIN);
    const created: Compared[] = [];
    for (const { sold, index } of all.filter(({ sold }) => every.includes(rhythmOf(sold))))
      created.push((await create(sold, { index, clock: clock.id })).compared);
    await expectBilled(created, clock);
  },
);

test.each(clocks.map((every) => ({ every })))(
  'plans of $every: dry runs of changes return the bills that a clock issues',
  async ({ every }) => {
    const clock = await clockAt(product, BEGIN);
    const begun: { sold: Sold; index: number; compared: Compared; id: number }[] = [];
    for (const { sold, index } of all.filter(({ sold }) => every.includes(rhythmOf(sold)))) {
      if (index % 2 === 0) begun.push({ sold, index, ...(await create(sold, { index, clock: clock.id })) });
    }
    const now = seconds(BEGIN) + 11 * DAY + 3600;
    expect(await advanceTo(product, clock, new Date(now * 1000).toISOString())).toMatchObject({ status: 'ready' });
    const changed: Compared[] = [];
    for (const [at, { sold, index, compared, id }] of begun.entries()) {
      const change = changes[at % changes.length];
      const [method, path, body] = change?.(sold, (days) => now + days * DAY) ?? [];
      const request = (dryRun: string) =>
        product
          .call(`${method}`, `/subscriptions/${id}${path}${dryRun}`, body)
          .catch(({ message }: Error) => ({ message }));
      const { customer } = compared;
      const before = await documentsOfBoth(customer);
      const told = await request(`dry_run=${TOLD}`);
      const done = await request('');
      if ('message' in told)
        expect({ index, message: told.message.replace(`dry_run=${TOLD}`, '') }).toEqual({ index, ...done });
      else {
        expect({ index, ...withoutIds(told.subscription) }).toEqual({ index, ...withoutIds(done) });
        changed.push({ index, customer, told, before });
      }
    }
    refused += begun.length - changed.length;
    await expectBilled(changed, clock);
  },
);

/** Expects that the clock issues the bills that the dry runs returned. */
async function expectBilled(dryRuns: Compared[], clock: TestClock): Promise<void> {
  const dates = dryRuns.flatMap(({ told }) => told.invoices.map(({ date }: Answered) => date));
  const end = new Date((Math.max(...dates, clock.frozen_time) + 12 * DAY) * 1000).toISOString();
  expect(await advanceTo(product, clock, end)).toMatchObject({ status: 'ready' });
  for (const { index, customer, told, before } of dryRuns) {
    const { invoices, notes } = await documentsOfBoth(customer);
    const issued = invoices.slice(before.invoices.length).slice(0, TOLD).map(asIssued);
    expect({ index, invoices: issued }).toEqual({ index, invoices: told.invoices.map(asIssued) });
    const lastAt = told.invoices.length < TOLD ? Number.POSITIVE_INFINITY : told.invoices.at(-1).created_at;
    const known = notes.slice(before.notes.length).filter(({ created_at }) => created_at <= lastAt);
    const shown = known.map((note) => asIssued(creditNoteWithoutIdentity(note, before.invoices)));
    expect({ index, notes: shown }).toEqual({ index, notes: told.credit_notes.map(asIssued) });
    compared += issued.length;
  }
}

test('the dry runs returned many bills, and the books are clean', async () => {
  expect(all.filter(({ sold }) => !clocks.flat().includes(rhythmOf(sold)))).toEqual([]);
  expect(compared).toBeGreaterThan(5 * COUNT);
  expect(refused).toBeLessThan(COUNT / 8); // renewals of what is no contract, and changes of what has ended
  await expectSound(product);
});

function rhythmOf({ plan: { interval, intervalCount } }: Sold): string {
  return `${intervalCount} ${interval}`;
}

/** Makes a dry run of a subscription of a new customer on a clock, and then creates it. */
async function create(
  sold: Sold,
  { index, clock }: { index: number; clock: number },
): Promise<{ compared: Compared; id: number }> {
  const who = { name: `Random ${index}`, currency: sold.currency, test_clock: clock };
  const customer = (await product.call('POST', '/customers', who)).id;
  const body = await shop.bodyFor(sold, { customer, startAt: startOf(sold, index) });
  const told = await product.call('POST', `/subscriptions?dry_run=${TOLD}`, body);
  const created = await product.call('POST', '/subscriptions', body);
  expect({ index, ...withoutIds(told.subscription) }).toEqual({ index, ...withoutIds(created) });
  return { compared: { index, customer, told, before: { invoices: [], notes: [] } }, id: created.id };
}

function withoutIds(subscription: Answered) {
  const addons = subscription.addons.map((addon: Answered) => ({ ...addon, id: null }));
  return { ...subscription, addons, id: null, url: null };
}

/** A third starts at once, the others in up to thirty days or, if few periods were missed, up to nine days ago. */
function startOf({ start, plan }: Sold, index: number): number | null {
  if (index % 3 === 0) return null;
  const latest = plan.interval === 'day' ? 5 : 30;
  const days = (Math.floor(start / 1000 / DAY) % (latest + 10)) - 9;
  return seconds(BEGIN) + days * DAY + (Math.floor(start / 1000) % DAY) - DAY / 2;
}

function documentsOf(kind: 'invoices' | 'credit_notes', customer: number): Promise<Answered[]> {
  return product.call('GET', `/${kind}?filter[customer]=${customer}&sort=id asc&per_page=100`);
}

async function documentsOfBoth(customer: number): Promise<Compared['before']> {
  return { invoices: await documentsOf('invoices', customer), notes: await documentsOf('credit_notes', customer) };
}

/** A document without what happens to it after its issue. Nobody pays. */
function asIssued(document: Answered) {
  const { status: _, updated_at: __, ...rest } = withoutIdentity(document);
  return rest;
}
