import { expect, test } from '@jest/globals';
import { dayOf2027, goldSubscriptions } from '../../support/goldSubscriptions.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

/** Prices in notices: those that will be billed, after the change that waits for the renewal. A plan of 120.00 a year. */

const NEXT_MARCH = dayOf2027(15);
const gold = goldSubscriptions(async (client) => {
  await client.make('/plans', { id: 'annual', name: 'Annual', amount: 120, interval: 'year' });
  await client.make('/plans', { id: 'biennial', name: 'Biennial', amount: 200, interval: 'year', interval_count: 2 });
  await client.make('/items', { id: 'seat', name: 'Seat', unit_cost: 7 });
  await client.make('/coupons', { id: 'half', name: 'Half', value: 50, is_percent: true });
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
});

let customers = 0;

/** Begins a subscription on 1 March 2027, changes it with the renewal, and takes its steps up to a time. Returns its mails and id. */
async function announced(body: object, change: object, until: number): Promise<{ id: number; texts: string[] }> {
  customers += 1;
  const { sandbox } = gold.api;
  const email = `renewing${customers}@example.com`;
  const customer = await gold.customerWith({ email });
  const id = await gold.begin({ customer, plan: 'annual', ...body });
  expect((await gold.change(id, { when: 'renewal', ...change })).status).toBe(200);
  const key = { accountId: sandbox.account.id, id };
  await takeSubscriptionSteps(gold.api.em, key, new Date(until * 1000));
  const sql = `select text from email where customer_id = ? and template in ('subscription_renews_soon_email', 'contract_ending_email')
    order by id`;
  const rows = await gold.api.em.fork().execute<{ text: string }[]>(sql, [customer]);
  return { id, texts: rows.map(({ text }) => text) };
}

const DAY = 86_400;
/** The amount of the bill of 1 March 2028. */
async function billed(id: number): Promise<number> {
  await gold.advanceTo(id, NEXT_MARCH);
  return (await gold.totals(id)).at(-1) ?? 0;
}

test('the notice of a renewal shows the price after the change that applies then', async () => {
  const change = { quantity: 2, addons: [{ catalog_item: 'seat', quantity: 3 }], discounts: ['half'], taxes: ['vat'] };
  const { id, texts } = await announced({}, change, NEXT_MARCH - 2 * DAY);
  expect(texts).toHaveLength(1);
  // (2 x 120.00 + 3 x 7.00) less 50 % = 130.50, and 20 %
  expect(texts[0]).toMatch(/^Price per period +\$156\.60$/m);
  expect(texts[0]).toMatch(/^Quantity +2$/m);
  expect(await billed(id)).toBe(156.6);
});

test('and the plan and the interval after it', async () => {
  const { id, texts } = await announced({}, { plan: 'biennial' }, NEXT_MARCH - 2 * DAY);
  expect(texts[0]).toMatch(/your subscription to Annual renews on March 1, 2028/);
  expect(texts[0]).toMatch(/^Plan +Biennial$/m);
  expect(texts[0]).toMatch(/^Price per period +\$200\.00$/m);
  expect(texts[0]).toMatch(/^Billing period +2 years$/m);
  expect(await billed(id)).toBe(200);
});

test('within a contract it shows the present price: the change waits for the next contract', async () => {
  const { id, texts } = await announced({ cycles: 2 }, { quantity: 2 }, NEXT_MARCH - 2 * DAY);
  expect(texts[0]).toMatch(/^Price per period +\$120\.00$/m);
  expect(await billed(id)).toBe(120);
});

test('at the end of a contract both notices show the price and the length of the next one', async () => {
  await gold.api.sandbox.patch('/account', { contract_notice_days: 30 });
  const terms = { cycles: 1, contract_renewal_mode: 'auto' };
  const { id, texts } = await announced(terms, { plan: 'biennial', cycles: 3 }, NEXT_MARCH - 2 * DAY);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/March 1, 2028[\s\S]*renews automatically on this day for 6 years/);
  for (const text of texts) expect(text).toMatch(/^Price per period +\$200\.00$/m);
  expect(await billed(id)).toBe(200);
});

test.each([
  ['is canceled at its end', { cancel_at_period_end: true }],
  ['is the last of a contract', { cycles: 1 }],
])('in arrears a period that %s is not announced as a renewal', async (_, terms) => {
  const { texts } = await announced({ bill_in: 'arrears', ...terms }, {}, NEXT_MARCH - 2 * DAY);
  expect(texts.filter((text) => /renews on/.test(text))).toEqual([]);
});
