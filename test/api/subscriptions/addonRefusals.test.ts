import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sellAddons } from '../../support/addonCatalog.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** Add-ons that are refused, with the path of the field at fault. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  const { make, delete: remove } = api.sandbox;
  customer = (await make('/customers', { name: 'Adding', currency: 'usd' })).id;
  await sellAddons(api.sandbox);
  const plan = (id: string, more: object) =>
    make('/plans', { id, name: id, amount: 1, interval: 'month', currency: 'usd', ...more });
  await plan('gold', { amount: 10 });
  await plan('dear', { amount: 100_000 });
  await plan('yearly', { interval: 'year' });
  await plan('quarterly', { interval_count: 3 });
  await plan('euros', { currency: 'eur' });
  await plan('gone', {});
  const tiers = Array.from({ length: 100 }, (_, n) => ({ unit_cost: 1, ...(n < 99 ? { max_qty: n + 1 } : {}) }));
  await plan('steps', { amount: undefined, pricing_mode: 'tiered', tiers });
  await make('/items', { id: 'imported', name: 'Imported', currency: 'eur', unit_cost: 1 });
  await make('/items', { id: 'refund', name: 'Refund', unit_cost: -11 });
  await make('/items', { id: 'gone', name: 'Gone', unit_cost: 1 });
  await remove('/plans/gone');
  await remove('/items/gone');
});
afterAll(() => api.close());

const create = (addons: unknown) => api.sandbox.post('/subscriptions', { customer, plan: 'gold', addons });
const change = (id: number, addons: unknown) => api.sandbox.patch(`/subscriptions/${id}`, { addons });
const onFirst = (field: string) => `addons[0][${field}]`;

/** The number of add-ons in the database, removed ones included. */
async function countAddons(): Promise<number> {
  const count = 'select count(*)::int as count from subscription_addon';
  const [row] = await api.em.fork().execute<{ count: number }[]>(count);
  return row?.count ?? 0;
}

const refusals: [addons: unknown, param: string, message: string][] = [
  ['seats', 'addons', 'Addons must be a list'],
  [[{}], onFirst('plan'), 'Plan or catalog item missing'],
  [[{ plan: '' }], onFirst('plan'), 'Plan or catalog item missing'],
  [
    [{ plan: 'seats', catalog_item: 'phone' }],
    onFirst('catalog_item'),
    'An add-on has a plan or a catalog item, not both',
  ],
  [[{ plan: 'none' }], onFirst('plan'), 'Plan was not found: none'],
  [[{ catalog_item: 'none' }], onFirst('catalog_item'), 'Item was not found: none'],
  [[{ plan: 'gone' }], onFirst('plan'), 'Plan was deleted and can no longer be used: gone'],
  [[{ catalog_item: 'gone' }], onFirst('catalog_item'), 'Item was deleted and can no longer be used: gone'],
  [[{ plan: 'yearly' }], onFirst('plan'), 'Plan yearly is billed every year: this subscription needs every month'],
  [
    [{ plan: 'quarterly' }],
    onFirst('plan'),
    'Plan quarterly is billed every 3 months: this subscription needs every month',
  ],
  [[{ plan: 'euros' }], onFirst('plan'), 'Plan euros is priced in eur, not usd'],
  [[{ catalog_item: 'imported' }], onFirst('catalog_item'), 'Item imported is priced in eur, not usd'],
  [[{ plan: 'seats', quantity: -1 }], onFirst('quantity'), 'Quantity must be a whole number from 0 to 1000000000'],
  [[{ plan: 'seats', quantity: 1.5 }], onFirst('quantity'), 'Quantity must be a whole number from 0 to 1000000000'],
  [[{ plan: 'seats', amount: 5 }], onFirst('amount'), 'Plan seats has a price: omit amount'],
  [[{ catalog_item: 'phone', amount: 5 }], onFirst('amount'), 'Item phone has a price: omit amount'],
  [[{ plan: 'support' }], onFirst('amount'), 'Amount missing: plan support has a custom price'],
  [[{ plan: 'support', amount: -1 }], onFirst('amount'), 'Amount must not be negative'],
  [[{ plan: 'seats' }, { plan: 'seats', unit: 3 }], 'addons[1][unit]', 'Unknown field unit'],
  [
    [{ plan: 'seats' }, { plan: 'dear', quantity: 1_000_000_000 }],
    'addons[1][quantity]',
    'Amounts must be below 1000000000000: 100000000000000.00',
  ],
  [
    [9, 9].map((millions) => ({ plan: 'dear', quantity: millions * 1_000_000 })),
    'addons',
    'Amounts must be below 1000000000000: 1800000000010.00',
  ],
  [[{ catalog_item: 'refund' }], 'addons', 'Total must not be negative: -1.00'],
];

test.each(refusals)('%j is refused, naming %s', async (addons, param, message) => {
  const before = await countAddons();
  const refusal = refused({ param, message: expect.stringContaining(message) });
  expect(await create(addons)).toMatchObject(refusal);
  expect(await countAddons()).toBe(before);
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold' });
  expect(await change(id, addons)).toMatchObject(refusal);
  expect((await api.sandbox.get(`/subscriptions/${id}`)).body).toMatchObject({ addons: [], recurring_total: 10 });
});

test('a subscription has at most 100 add-ons', async () => {
  const seats = (count: number) => Array.from({ length: count }, () => ({ plan: 'seats' }));
  const created = await create(seats(100));
  expect(created).toMatchObject({ status: 201, body: { recurring_total: 310 } }); // 10 + 100 x 3
  expect(created.body.addons).toHaveLength(100);
  const refusal = refused({ param: 'addons', message: 'Addons may have at most 100 elements' });
  expect(await create(seats(101))).toMatchObject(refusal);
  expect(await change(created.body.id, seats(101))).toMatchObject(refusal);
});

test('a bill has room for the lines of all add-ons', async () => {
  const steps = (count: number) => Array.from({ length: count }, () => ({ plan: 'steps', quantity: 100 }));
  const message = 'A bill would have 1001 lines, one for each tier; the most is 999';
  expect(await create(steps(10))).toMatchObject(refused({ param: 'addons', message }));
  const { body } = await api.sandbox.post('/subscriptions?include=latest_invoice', {
    customer,
    plan: 'gold',
    addons: steps(9),
  });
  expect(body.latest_invoice.items).toHaveLength(901);
  const text = (count: number) => ({ plan: 'seats', description: 'x'.repeat(count) });
  const long = Array.from({ length: 20 }, () => text(10_000));
  const printed = expect.stringContaining('A document prints at most 200,000 characters');
  expect(await create(long)).toMatchObject(refused({ param: 'addons', message: printed }));
  expect(await create([text(10_001)])).toMatchObject(refused({ param: onFirst('description') }));
});

test('an id must be that of a current add-on of the subscription, once', async () => {
  const rival = (await api.open('Rival')).sandbox;
  await sellAddons(rival);
  const other = await subscribed(rival, (await rival.make('/customers', { name: 'Theirs', currency: 'usd' })).id);
  const [own, sister] = [await subscribed(api.sandbox, customer), await subscribed(api.sandbox, customer)];
  const removed = own.addons[1].id;
  await change(own.id, [{ id: own.addons[0].id }]);
  for (const id of [other.addons[0].id, sister.addons[0].id, removed, 2_147_483_600]) {
    const refusal = refused({ param: onFirst('id'), message: `Add-on was not found: ${id}` });
    expect(await change(own.id, [{ id }])).toMatchObject(refusal);
  }
  const { id } = own.addons[0];
  const twice = refused({ param: 'addons[1][id]', message: `Add-on is named twice: ${id}` });
  expect(await change(own.id, [{ id }, { id, quantity: 3 }])).toMatchObject(twice);
  await rival.make('/plans', { id: 'theirs', name: 'Theirs', amount: 1, interval: 'month' });
  const unknown = refused({ param: onFirst('plan'), message: 'Plan was not found: theirs' });
  expect(await create([{ plan: 'theirs' }])).toMatchObject(unknown);
  expect((await api.sandbox.get(`/subscriptions/${own.id}`)).body.addons).toEqual([own.addons[0]]);
  expect((await rival.get(`/subscriptions/${other.id}`)).body.addons).toEqual(other.addons);
  // A new subscription gives its add-ons their own ids.
  const copied = await api.sandbox.make('/subscriptions', { customer, plan: 'gold', addons: own.addons });
  const given = copied.addons.map((addon: { id: number }) => addon.id);
  expect(given).toEqual([expect.any(Number), expect.any(Number)]);
  expect([id, removed].filter((one) => given.includes(one))).toEqual([]);
});

/** Creates a subscription with two add-ons. */
async function subscribed({ make }: Client, who: number) {
  const addons = [{ plan: 'support', amount: 7, description: 'Night shift' }, { catalog_item: 'phone' }];
  return make('/subscriptions', { customer: who, plan: 'seats', addons });
}

test('the plan or item of an add-on stays, and so does its kind of price', async () => {
  const { id, addons } = await subscribed(api.sandbox, customer);
  const [support, phone] = addons;
  const fixed = 'cannot be changed: leave this one out and add another without id';
  for (const [addon, field, message] of [
    [{ id: support.id, plan: 'seats' }, 'plan', `Plan of an add-on ${fixed}`],
    [{ id: support.id, plan: null }, 'plan', `Plan of an add-on ${fixed}`],
    [{ id: phone.id, plan: 'seats' }, 'plan', `Plan of an add-on ${fixed}`],
    [{ id: support.id, catalog_item: 'phone' }, 'catalog_item', `Catalog item of an add-on ${fixed}`],
    [{ id: support.id, amount: null }, 'amount', 'Amount missing: plan support has a custom price'],
    [{ id: phone.id, amount: 3 }, 'amount', 'Item phone has a price: omit amount'],
  ] as const)
    expect(await change(id, [addon])).toMatchObject(refused({ param: onFirst(field), message }));
  expect((await api.sandbox.get(`/subscriptions/${id}`)).body.addons).toEqual(addons);
});

test('a canceled subscription keeps its add-ons', async () => {
  const { id, addons } = await subscribed(api.sandbox, customer);
  expect((await api.sandbox.delete(`/subscriptions/${id}`)).body).toMatchObject({ status: 'canceled', addons });
  expect(await change(id, addons)).toMatchObject({ status: 200, body: { addons } });
  const message = 'Subscription is canceled and can no longer be changed';
  for (const others of [[], [{ ...addons[0], quantity: 2 }], [addons[1], addons[0]]])
    expect(await change(id, others)).toMatchObject(refused({ message }));
});
