import { beforeAll, expect, test } from '@jest/globals';
import { readSubscriptionFacts } from '../../../db/queries/events/explanation.ts';
import { explainSubscription } from '../../../present/explanations/subscription.ts';
import { connect } from '../../../workers/connection.ts';
import { sellAddons } from '../../support/addonCatalog.ts';
import { refused } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Add-ons of subscriptions: what they bill and how they change. The test takes the steps as their processes would. */

const MID_MARCH = day(3, 15);
const gold = goldSubscriptions(sellAddons);
const { expectCleanBooks, invoices, totals } = gold;

let customer: number;
beforeAll(async () => {
  customer = await gold.customerWith();
});

const change = (id: number, addons: unknown) => gold.change(id, { addons, prorate: false });
const addonsOf = async (id: number) => (await gold.read(id)).addons;
const query = (sql: string, ...values: unknown[]) => gold.api.em.fork().execute<Record<string, unknown>[]>(sql, values);
const summary = ({ items }: { items: Record<string, unknown>[] }) =>
  items.map(({ name, quantity, unit_cost, amount, description }) => [name, quantity, unit_cost, amount, description]);

test('a subscription bills add-ons of every pricing mode and of an item after its plan', async () => {
  gold.moveTo(MARCH);
  const addons = [
    { plan: 'seats', quantity: 5, description: 'Sales team' },
    { plan: 'calls', quantity: 12, description: 'Hotline' },
    { plan: 'storage', quantity: 12 },
    { plan: 'support', quantity: 2, amount: 7.25 },
    { catalog_item: 'phone', quantity: 2 },
  ];
  const made = await gold.api.sandbox.make('/subscriptions?include=latest_invoice', { customer, plan: 'gold', addons });
  const { latest_invoice: bill, ...subscription } = made;
  const times = { created_at: MARCH, updated_at: MARCH };
  const unset = { plan: null, catalog_item: null, amount: null, description: null };
  const shown = addons.map((addon) => ({ object: 'subscription_addon', ...unset, ...addon, ...times }));
  expect(subscription.addons).toEqual(shown.map((addon) => ({ id: expect.any(Number), ...addon })));
  expect(subscription.addons.flatMap((addon: object) => missingFields('subscription_addon', addon))).toEqual([]);
  // 10 + 5 x 3 + (10 x 5 + 2 x 4) + 12 x 4 + 2 x 7.25 + 2 x 1.25 = 148.00; 20 % of the 2.50 are 0.50
  expect(subscription).toMatchObject({ recurring_total: 148.5, mrr: 148 });
  expect(bill).toMatchObject({ subtotal: 148, total: 148.5 });
  expect(summary(bill)).toEqual([
    ['Gold', 1, 10, 10, null],
    ['seats', 5, 3, 15, 'Sales team'],
    ['calls', 10, 5, 50, 'Hotline\nUp to 10'],
    ['calls', 2, 4, 8, 'Hotline\nFrom 11 to 20'],
    ['storage', 12, 4, 48, null],
    ['support', 2, 7.25, 14.5, null],
    ['Phone', 2, 1.25, 2.5, 'One line'],
  ]);
  const period = { period_start: MARCH, period_end: APRIL };
  expect(bill.items[1]).toMatchObject({ type: 'plan', plan: 'seats', catalog_item: null, taxes: [], ...period });
  const tax = { amount: 0.5, tax_rate: { id: 'vat' } };
  expect(bill.items[6]).toMatchObject({ type: 'hardware', plan: null, catalog_item: 'phone', taxes: [tax], ...period });
  const [a, b, c, d, e] = subscription.addons.map(({ id }: { id: number }) => id);
  const lines = await query('select addon_id from line_item where invoice_id = ? order by position', bill.id);
  expect(lines.map(({ addon_id }) => addon_id)).toEqual([null, a, b, b, c, d, e]);
  const posted = 'select sum(amount)::float8 as sum from ledger_entry where invoice_id = ? and ledger_account = ?';
  expect(await query(posted, bill.id, 'revenue:4200')).toEqual([{ sum: -2.5 }]);
  expect(await gold.read(subscription.id)).toEqual(subscription);
  await expectCleanBooks();
});

test('lists and events contain add-ons, timelines name them, and their plans and items expand', async () => {
  const { sandbox } = gold.api;
  const addons = ['seats', 'calls', 'storage'].map((plan) => ({ plan }));
  const id = await gold.begin({ addons: [{ catalog_item: 'phone', quantity: 2 }, ...addons] });
  const shown = await gold.read(id);
  const { body: listed } = await sandbox.get('/subscriptions?sort=id desc');
  expect(listed[0]).toEqual(shown);
  const withAddons = await gold.api.statements(() => sandbox.get('/subscriptions'));
  for (const table of ['subscription_addon', 'plan', 'item'])
    expect(withAddons.filter((text) => new RegExp(`from ${table} `).test(text))).toHaveLength(1);
  const plain = await gold.begin();
  const without = await gold.api.statements(() => sandbox.get(`/subscriptions/${plain}`));
  const ofAddons = without.filter((text) => text.includes('subscription_addon') && !text.includes(' as tag '));
  expect(ofAddons).toEqual([]);
  await change(id, []);
  const events = (await sandbox.get(`/events?related_to=subscription,${id}`)).body;
  const [changed, billed, created] = events.map(({ data }: { data: object }) => data);
  expect(created.object.addons).toEqual(shown.addons);
  expect(billed).toMatchObject({ object: { addons: shown.addons }, previous: { period_start: null } });
  expect(changed.object).toMatchObject({ addons: [], recurring_total: 10 });
  // 10 + 2.50 + 3 + 5 + 5 = 25.50; 20 % of the 2.50 are 0.50
  expect(changed.previous).toEqual({ addons: shown.addons, recurring_total: 26, mrr: 25.5 });
  const told = (await sandbox.get(`/subscriptions/${id}/timeline`)).body.map(({ what }: { what: string }) => what);
  expect(told).toContain('subscribed to gold x 1 + phone x 2 + seats x 1 + calls x 1 + 1 more');
  expect(told).toContain('add-ons: none');
});

test('a PATCH keeps, changes, adds and removes add-ons from the next bill on', async () => {
  const id = await gold.begin({
    addons: [{ plan: 'seats', quantity: 2, description: 'Sales team' }, { catalog_item: 'phone' }],
  });
  const [seats, phone] = await addonsOf(id);
  gold.moveTo(MID_MARCH);
  const addons = [{ id: phone.id }, { id: seats.id, quantity: 4 }, { plan: 'storage' }];
  const { body } = await change(id, addons);
  expect(body.addons).toEqual([
    phone,
    { ...seats, quantity: 4, updated_at: MID_MARCH },
    expect.objectContaining({ plan: 'storage', quantity: 1, created_at: MID_MARCH }),
  ]);
  // 10 + 1.25 + 4 x 3 + 1 x 5 = 28.25; 20 % of the 1.25 are 0.25
  expect(body).toMatchObject({ recurring_total: 28.5, mrr: 28.25, updated_at: MID_MARCH });
  expect(await gold.billed(id)).toEqual([MARCH]);
  await gold.change(id, { metadata: { color: 'red' } });
  expect(await addonsOf(id)).toEqual(body.addons);
  await gold.advanceTo(id, APRIL);
  const [first, second] = await invoices(id);
  const sold = (bill: typeof first) => summary(bill).map(([name, quantity]) => `${name} x ${quantity}`);
  expect(sold(first)).toEqual(['Gold x 1', 'seats x 2', 'Phone x 1']);
  expect(sold(second)).toEqual(['Gold x 1', 'Phone x 1', 'seats x 4', 'storage x 1']);
  expect((await change(id, [{ id: phone.id }])).body.addons).toEqual([phone]);
  await gold.advanceTo(id, MAY);
  expect((await change(id, null)).body).toMatchObject({ addons: [], recurring_total: 10 });
  await gold.advanceTo(id, JUNE);
  expect(await totals(id)).toEqual([17.5, 28.5, 11.5, 10]); // 10 + 1.25 + 0.25
  const kept = await query('select removed_at from subscription_addon where subscription_id = ?', id);
  expect(kept).toEqual(Array(3).fill({ removed_at: expect.anything() }));
  await expectCleanBooks();
});

test('a field of a kept add-on is cleared by null, and only a real change counts', async () => {
  const support = { plan: 'support', quantity: 3, amount: 7.25, description: 'Night shift' };
  const id = await gold.begin({ addons: [support] });
  const [addon] = await addonsOf(id);
  gold.moveTo(MID_MARCH);
  const same = [{ ...addon, amount: 7.25, plan: { id: 'support' } }];
  expect((await change(id, same)).body).toMatchObject({ addons: [addon], updated_at: MARCH });
  const cleared = [{ id: addon.id, quantity: null, description: null }];
  const after = { ...addon, quantity: 1, description: null, updated_at: MID_MARCH };
  expect((await change(id, cleared)).body).toMatchObject({ addons: [after], recurring_total: 17.25 }); // 10 + 7.25
  expect((await change(id, [{ id: addon.id, amount: 8 }])).body).toMatchObject({
    addons: [{ ...after, amount: 8 }],
    mrr: 18,
  });
});

test('bills that are due are made with the add-ons before the change', async () => {
  const id = await gold.begin({ addons: [{ plan: 'seats' }] });
  gold.moveTo(day(4, 2)); // the process is late
  expect((await change(id, [])).body).toMatchObject({ addons: [], period_start: APRIL, recurring_total: 10 });
  expect(await totals(id)).toEqual([13, 13]);
});

test('a short first period has a line for the plan and for each add-on, each rounded by itself', async () => {
  const start_date = day(3, 20);
  const addons = [
    { plan: 'seats', quantity: 5 },
    { plan: 'calls', quantity: 12, description: 'Hotline' },
    { catalog_item: 'phone' },
  ];
  const id = await gold.begin({ start_date, snap_to_nth_day: 1, addons });
  await gold.advanceTo(id, start_date);
  const [short] = await invoices(id);
  // 12 days of 31: 10 is 3.870…, 5 x 3 is 5.806…, 10 x 5 + 2 x 4 is 22.451…, 1.25 is 0.483…
  expect(summary(short)).toEqual([
    ['Gold', 1, 3.87, 3.87, null],
    ['seats', 1, 5.81, 5.81, null],
    ['calls', 1, 22.45, 22.45, 'Hotline'],
    ['Phone', 1, 0.48, 0.48, 'One line'],
  ]);
  expect(short.items.map(({ prorated }: { prorated: boolean }) => prorated)).toEqual([true, true, true, true]);
  expect(short.total).toBe(32.71); // 3.87 + 5.81 + 22.45 + 0.48, and 20 % of 0.48, 0.096: 0.10
  expect(await gold.read(id)).toMatchObject({ recurring_total: 84.5, mrr: 84.25 }); // 10 + 15 + 58 + 1.25, and 0.25
  await gold.advanceTo(id, APRIL);
  expect((await invoices(id))[1].total).toBe(84.5);
});

test('the example of docs/subscriptions.md with add-ons', async () => {
  const tiers = [{ max_qty: 10, unit_cost: 3 }, { unit_cost: 2.5 }];
  const users = { id: 'users', name: 'Users', interval: 'month', pricing_mode: 'tiered', tiers };
  await gold.api.sandbox.make('/plans', users);
  await gold.api.sandbox.make('/items', { id: 'line', name: 'Line', unit_cost: 1.25 });
  const start_date = day(3, 20);
  const addons = [
    { plan: 'users', quantity: 12, description: 'Sales team' },
    { catalog_item: 'line', quantity: 2 },
  ];
  const id = await gold.begin({ start_date, snap_to_nth_day: 1, addons });
  await gold.advanceTo(id, APRIL);
  const [short, whole] = await invoices(id);
  expect(summary(short).map(([, , , amount]) => amount)).toEqual([3.87, 13.55, 0.97]); // 12 / 31 of 10, 35 and 2.50
  expect(short.total).toBe(18.39);
  expect(summary(whole)).toEqual([
    ['Gold', 1, 10, 10, null],
    ['Users', 10, 3, 30, 'Sales team\nUp to 10'],
    ['Users', 2, 2.5, 5, 'Sales team\nFrom 11'],
    ['Line', 2, 1.25, 2.5, null],
  ]);
  expect(whole.total).toBe(47.5);
});

test('an add-on keeps its plan when another plan takes the id', async () => {
  const { sandbox } = gold.api;
  await sandbox.make('/plans', { id: 'old', name: 'Old', amount: 2, interval: 'month' });
  const id = await gold.begin({ addons: [{ plan: 'old' }] });
  const [addon] = await addonsOf(id);
  await sandbox.delete('/plans/old');
  const deleted = { param: 'addons[0][plan]', message: 'Plan was deleted and can no longer be used: old' };
  expect(await change(id, [{ plan: 'old' }])).toMatchObject(refused(deleted));
  expect((await change(id, [{ id: addon.id, plan: 'old', quantity: 3 }])).body.recurring_total).toBe(16); // 10 + 3 x 2
  await sandbox.make('/plans', { id: 'old', name: 'New', amount: 9, interval: 'month' });
  const expanded = (await sandbox.get(`/subscriptions/${id}?expand=addons.plan,addons.catalog_item`)).body.addons;
  const old = { object: 'plan', name: 'Old', amount: 2 };
  expect(expanded).toMatchObject([{ id: addon.id, plan: old, catalog_item: null }]);
  const added = (await sandbox.patch(`/subscriptions/${id}?expand=addons.plan`, { addons: [{ plan: 'old' }] })).body;
  expect(added).toMatchObject({ addons: [{ plan: { name: 'New' } }], recurring_total: 19 });
  expect(added.addons[0].id).not.toBe(addon.id);
});

test('explain shows the price of each add-on with its arithmetic', async () => {
  const { api } = gold;
  const addons = [
    { plan: 'calls', quantity: 12 },
    { plan: 'support', quantity: 2, amount: 7.25 },
    { catalog_item: 'phone', quantity: 3 },
  ];
  const id = await gold.begin({ addons: [...addons, { plan: 'seats' }] });
  await change(id, addons);
  const sql = await connect(api.databaseUrl);
  const { account } = api.sandbox;
  const named = { accountId: account.id, account: '', environment: '', timeZone: 'UTC', id };
  const text = explainSubscription(await readSubscriptionFacts(sql, named), id).join('\n');
  await sql.close();
  expect(text).toMatch(
    / Price +1 x 10\.00 = 10\.00 usd\n +Add-on calls +10 x 5\.00 \+ 2 x 4\.00 = 58\.00 usd\n +Add-on support +2 x 7\.25 = 14\.50 usd\n +Add-on phone +3 x 1\.25 = 3\.75 usd\n +Each bill +87\.00 usd/,
  ); // 10 + 58 + 14.50 + 3.75 = 86.25, and 20 % of the 3.75
});

test('discounts and taxes of the subscription apply to its add-ons, unless an item excludes them', async () => {
  await gold.api.sandbox.make('/coupons', { id: 'tenth', name: 'Tenth', value: 10 });
  const without = { unit_cost: 2, discountable: false, taxable: false, taxes: ['vat'] };
  await gold.api.sandbox.make('/items', { id: 'manual', name: 'Manual', ...without });
  const addons = [{ plan: 'seats', quantity: 5 }, { catalog_item: 'manual' }, { catalog_item: 'phone' }];
  const id = await gold.begin({ addons, discounts: ['tenth'], taxes: ['vat'] });
  // 10 + 15 + 1.25 = 26.25; 10 % of it: 2.63; 20 % of the 23.62 that are left: 4.72; 2 without either
  expect(await gold.read(id)).toMatchObject({ recurring_total: 30.34, mrr: 25.62 });
  expect(await invoices(id)).toMatchObject([{ subtotal: 28.25, total: 30.34 }]);
});

test('simultaneous changes run in turn; each replaces the previous add-ons', async () => {
  const id = await gold.begin({ addons: [{ plan: 'seats' }] });
  const [kept] = await addonsOf(id);
  const quantities = [2, 3, 4, 5, 6, 7];
  const answers = await Promise.all(
    quantities.flatMap((quantity) => [
      change(id, [{ id: kept.id, quantity }]),
      change(id, [{ id: kept.id }, { plan: 'storage', quantity }]),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  const { addons, recurring_total } = await gold.read(id);
  expect(addons[0]).toMatchObject({ id: kept.id, plan: 'seats' });
  expect(quantities).toContain(addons[0].quantity);
  expect(addons.length).toBeLessThanOrEqual(2);
  const storage = addons[1]?.quantity ?? 0; // up to 10 at 5
  expect(recurring_total).toBe(10 + 3 * addons[0].quantity + 5 * storage);
  const current = await query('select id from subscription_addon where subscription_id = ? and removed_at is null', id);
  expect(current).toHaveLength(addons.length);
  await expectCleanBooks();
});

test('a form can have add-ons', async () => {
  const addons = 'addons[0][plan]=seats&addons[0][quantity]=5&addons[1][catalog_item]=phone';
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const made = await gold.api.sandbox.make('/subscriptions', `customer=${customer}&plan=gold&${addons}`, type);
  expect(made.addons).toMatchObject([{ plan: 'seats', quantity: 5 }, { catalog_item: 'phone' }]);
});
