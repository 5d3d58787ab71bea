import { expect, test } from '@jest/globals';
import { readSubscriptionFacts } from '../../../db/queries/events/explanation.ts';
import { explainSubscription } from '../../../present/explanations/subscription.ts';
import { connect } from '../../../workers/connection.ts';
import { APRIL, dayOf2027 as day, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** Bills of usage. The test takes the steps as their processes would. */

const metered = meteredSubscriptions();
const { advanceTo, begin, billedUsage, change, expectCleanBooks, invoices, moveTo, read, report, usageOf } = metered;
const totalsOf = async (id: number) => (await metered.api.sandbox.get(`/subscriptions/${id}/usage_totals`)).body;

test('usage is billed after its period, beside the plan that is billed in advance', async () => {
  const id = await begin({ addons: [{ plan: 'calls' }, { plan: 'data' }, { plan: 'storage' }] });
  const subscription = await read(id);
  const [calls, data, storage] = subscription.addons.map((addon: { id: number }) => addon.id);
  expect(subscription).toMatchObject({ recurring_total: 10, mrr: 10 });
  moveTo(day(3, 20));
  await report(id, 12.5, day(3, 10), { addon: calls });
  await report(id, 120, day(3, 15), { addon: data });
  await report(id, 30, day(3, 16), { addon: data });
  await report(id, 12, day(3, 16), { addon: storage });
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([
    [['gold', 1, 10, 10, MARCH, null]],
    [
      ['gold', 1, 10, 10, APRIL, null],
      ['calls', 12.5, 0.25, 3.13, MARCH, null], // 12.5 x 0.25 = 3.125
      ['data', 100, 0, 0, MARCH, 'Up to 100'],
      ['data', 50, 0.02, 1, MARCH, 'From 101'], // 120 + 30 - 100
      ['storage', 12, 1.5, 18, MARCH, null],
    ],
  ]);
  const [, april] = await invoices(id);
  expect(await usageOf(id, `?filter[addon]=${data}`)).toMatchObject([
    { quantity: 30, billed: true, invoice: april?.id, period_start: MARCH, period_end: APRIL },
    { quantity: 120, billed: true, invoice: april?.id },
  ]);
  expect(await totalsOf(id)).toMatchObject([
    { plan: 'storage', addon: storage, quantity: 12, records: 1, amount: 18, late: false, invoice: april?.id },
    { plan: 'data', quantity: 150, records: 2, amount: 1 },
    { plan: 'calls', quantity: 12.5, records: 1, amount: 3.13 },
  ]);
  await expectCleanBooks();
});

test('late usage costs the price of its period with it less the price without, on the next bill', async () => {
  const id = await begin({ plan: 'storage', bill_in: 'arrears' });
  moveTo(day(3, 20));
  await report(id, 9, day(3, 10));
  await advanceTo(id, APRIL);
  await report(id, 2, day(3, 31));
  await report(id, 3, APRIL);
  await advanceTo(id, MAY);
  await report(id, -1, day(3, 31)); // a correction of what is billed
  await advanceTo(id, JUNE);
  expect(await billedUsage(id)).toEqual([
    [['storage', 9, 2, 18, MARCH, null]],
    [
      ['storage', 1, -1.5, -1.5, MARCH, 'Late usage, Quantity: 2'], // 11 x 1.5 = 16.50, less 9 x 2
      ['storage', 3, 2, 6, APRIL, null],
    ],
    [
      ['storage', 1, 3.5, 3.5, MARCH, 'Usage correction, Quantity: 1'], // 10 x 2 = 20, less 16.50
      ['storage', 0, 2, 0, MAY, null],
    ],
  ]);
  await expectCleanBooks();
});

test('usage before and after a change of the price has lines at both prices', async () => {
  const id = await begin({ plan: 'support', amount: 4, bill_in: 'arrears' });
  moveTo(day(3, 16));
  await report(id, 2, day(3, 15));
  expect((await change(id, { amount: 5 })).status).toBe(200);
  moveTo(day(3, 20));
  await report(id, 3, day(3, 17));
  await report(id, 1, day(3, 15)); // counts at the old price
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([
    [
      ['support', 3, 4, 12, MARCH, null],
      ['support', 3, 5, 15, day(3, 16), null],
    ],
  ]);
  await expectCleanBooks();
});

test('usage in a trial is free', async () => {
  const id = await begin({ addons: [{ plan: 'calls' }], trial_end: day(3, 15) });
  const [{ id: addon }] = (await read(id)).addons;
  moveTo(day(3, 10));
  await report(id, 100, day(3, 5), { addon });
  await advanceTo(id, day(3, 15));
  await report(id, 4, day(3, 15), { addon });
  await report(id, 7, day(3, 14), { addon }); // late and free
  await advanceTo(id, day(4, 15));
  expect(await billedUsage(id)).toEqual([
    [['gold', 1, 10, 10, day(3, 15), null]],
    [
      ['gold', 1, 10, 10, day(4, 15), null],
      ['calls', 4, 0.25, 1, day(3, 15), null],
    ],
  ]);
  expect(await usageOf(id, '?filter[billed]=false')).toEqual([]);
  await expectCleanBooks();
});

test('a subscription that has only usage in advance is billed first when its first period ends', async () => {
  const id = await begin({ plan: 'calls' });
  expect(await invoices(id)).toEqual([]);
  expect(await read(id)).toMatchObject({ status: 'active', period_start: MARCH, recurring_total: 0, mrr: 0 });
  moveTo(day(3, 20));
  await report(id, 8, day(3, 10));
  expect((await change(id, { addons: [{ plan: 'gold' }] })).status).toBe(200); // charged for the rest of March
  await advanceTo(id, APRIL);
  await advanceTo(id, MAY);
  expect(await billedUsage(id)).toEqual([
    [
      ['gold', 1, 10, 10, APRIL, null],
      ['calls', 8, 0.25, 2, MARCH, null],
      ['gold', 1, 3.87, 3.87, day(3, 20), 'Remaining time'], // 12 of 31 days of 10.00
    ],
    [
      ['gold', 1, 10, 10, MAY, null],
      ['calls', 0, 0.25, 0, APRIL, null],
    ],
  ]);
  await expectCleanBooks();
});

test('days of billing ahead do not bill usage ahead: it has an invoice when its period has ended', async () => {
  const id = await begin({ addons: [{ plan: 'calls' }], bill_in_advance_days: 5 });
  const [{ id: addon }] = (await read(id)).addons;
  await advanceTo(id, day(3, 28)); // April is billed
  await report(id, 8, day(3, 10), { addon });
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([
    [['gold', 1, 10, 10, MARCH, null]],
    [['gold', 1, 10, 10, APRIL, null]],
    [['calls', 8, 0.25, 2, MARCH, null]],
  ]);
  await expectCleanBooks();
});

test.each([
  ['a cancellation at the end of the period', { cancel_at_period_end: true }],
  ['the end of a contract', { cycles: 1 }],
  ['a contract that waits for its renewal', { cycles: 1, contract_renewal_mode: 'manual' }],
  ['a pause at the end of the period', { pause_at_period_end: true }],
])('%s bills the usage of the last period', async (_, terms) => {
  const id = await begin({ addons: [{ plan: 'calls' }], ...terms });
  const [{ id: addon }] = (await read(id)).addons;
  moveTo(day(3, 20));
  await report(id, 8, day(3, 10), { addon });
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([[['gold', 1, 10, 10, MARCH, null]], [['calls', 8, 0.25, 2, MARCH, null]]]);
  await expectCleanBooks();
});

test('the final invoice takes usage to the end; later reports of it become a pending line and a problem', async () => {
  const customer = await metered.customerWith();
  const id = await begin({ plan: 'calls', customer });
  moveTo(day(3, 20));
  await report(id, 8, day(3, 10));
  await report(id, 4, day(3, 20) + 30); // the clock of the client is ahead
  expect((await metered.cancel(id)).status).toBe(200);
  expect(await billedUsage(id)).toEqual([[['calls', 12, 0.25, 3, MARCH, null]]]);
  moveTo(day(3, 21));
  expect((await report(id, 4, day(3, 12))).body).toMatchObject({ billed: true, invoice: null });
  const pending = (await metered.api.sandbox.get(`/customers/${customer}/line_items`)).body;
  expect(pending).toMatchObject([{ amount: 1, plan: 'calls', description: 'Late usage, Quantity: 4' }]);
  const problemsOf = async () =>
    (await metered.api.sandbox.get('/problems')).body.filter(
      ({ subject }: { subject: { id: number } }) => subject.id === customer,
    );
  expect(await problemsOf()).toMatchObject([
    { message: expect.stringContaining('1.00 usd wait as pending line items') },
  ]);
  const invoice = await metered.api.sandbox.make(`/customers/${customer}/invoices`, {});
  expect(await usageOf(id)).toMatchObject([{ quantity: 4 }, { quantity: 4, invoice: invoice.id }, { quantity: 8 }]);
  expect(await usageOf(id, `?filter[invoice]=${invoice.id}`)).toMatchObject([{ quantity: 4 }]);
  const totals = await metered.api.sandbox.get(`/subscriptions/${id}/usage_totals?filter[invoice]=${invoice.id}`);
  expect(totals.body).toMatchObject([{ quantity: 4, late: true, invoice: invoice.id }]);
  expect(await problemsOf()).toEqual([]);
  await expectCleanBooks();
});

test('late usage of several subscriptions adds up in the problem of its currency, until the last of it is billed', async () => {
  const customer = await metered.customerWith();
  const ids = [await begin({ plan: 'calls', customer }), await begin({ plan: 'calls', customer })];
  const [first = 0, second = 0] = ids;
  moveTo(day(3, 20));
  for (const id of ids) {
    await report(id, 8, day(3, 10));
    expect((await metered.cancel(id)).status).toBe(200);
  }
  moveTo(day(3, 21));
  const problems = async () =>
    (await metered.api.sandbox.get('/problems')).body
      .filter(({ subject }: { subject: { id: number } }) => subject.id === customer)
      .map(({ message, money_at_risk }: { message: string; money_at_risk: number }) => [message, money_at_risk]);
  const rest = 'wait as pending line items. Issue an invoice of them, or delete them';
  await report(first, 4, day(3, 12));
  await report(first, 6, day(3, 12));
  const own = `Usage of subscription ${first} was reported after its final invoice: 2.50 usd ${rest}`;
  expect(await problems()).toEqual([[own, 2.5]]);
  await report(second, 2, day(3, 12));
  const both = `Usage of subscriptions ${first}, ${second} was reported after their final invoices`;
  expect(await problems()).toEqual([[`${both}: 3.00 usd ${rest}`, 3]]);
  const path = `/customers/${customer}/line_items`;
  const lines: { id: number; amount: number }[] = (await metered.api.sandbox.get(path)).body;
  expect(lines.map(({ amount }) => amount).toSorted()).toEqual([0.5, 1, 1.5]);
  const idOf = (amount: number) => lines.find((line) => line.amount === amount)?.id;
  expect((await metered.api.sandbox.delete(`${path}/${idOf(1)}`)).status).toBe(204);
  expect(await problems()).toEqual([[`${both}: 2.00 usd ${rest}`, 2]]);
  expect((await metered.api.sandbox.patch(`${path}/${idOf(0.5)}`, { unit_cost: 3 })).status).toBe(200);
  expect(await problems()).toEqual([[`${both}: 4.50 usd ${rest}`, 4.5]]);
  await metered.api.sandbox.make(`/customers/${customer}/invoices`, {});
  expect(await problems()).toEqual([]);
  await expectCleanBooks();
});

test('late usage does not hide another problem of its customer', async () => {
  const { make } = metered.api.sandbox;
  await make('/tax_rates', { id: 'quarter', name: 'Quarter', value: 25 });
  const customer = await metered.customerWith({ taxes: ['quarter'] });
  const id = await begin({ plan: 'calls', customer });
  await metered.cancel(id);
  // With the tax, one line is too large for any invoice.
  for (const unit_cost of [9e11, 1]) await make(`/customers/${customer}/line_items`, { name: 'Work', unit_cost });
  await make(`/customers/${customer}/invoices`, {});
  moveTo(day(3, 2));
  await report(id, 4, MARCH);
  const problems = (await metered.api.sandbox.get('/problems')).body.filter(
    ({ subject }: { subject: { id: number } }) => subject.id === customer,
  );
  const shown = problems.map(({ step, money_at_risk }: Record<string, unknown>) => [step, money_at_risk]);
  expect(shown.toSorted()).toEqual([
    ['bill late usage', 1],
    ['bill pending lines', 9e11],
  ]);
});

test('upcoming usage shows what a period costs so far, and takes nothing', async () => {
  const id = await begin({ addons: [{ plan: 'data' }] });
  const [{ id: addon }] = (await read(id)).addons;
  moveTo(day(3, 20));
  await report(id, 150, day(3, 10), { addon });
  const upcoming = await metered.api.sandbox.get(`/subscriptions/${id}/upcoming_usage`);
  expect(upcoming.body).toMatchObject({
    currency: 'usd',
    totals: [{ addon, plan: 'data', quantity: 150, amount: 1, period_start: MARCH, period_end: day(3, 20) }],
  });
  expect(await usageOf(id)).toMatchObject([{ billed: false }]);
});

test('the example of docs/usage.md is kept', async () => {
  const id = await begin({ plan: 'data', bill_in: 'arrears' });
  moveTo(day(3, 20));
  await report(id, 150, day(3, 10));
  await advanceTo(id, APRIL);
  await report(id, 30, day(3, 11));
  await advanceTo(id, MAY);
  await report(id, -100, day(3, 12));
  await advanceTo(id, JUNE);
  const amounts = (await totalsOf(id))
    .filter(({ period_start }: { period_start: number }) => period_start === MARCH)
    .map(({ quantity, amount }: { quantity: number; amount: number }) => [quantity, amount]);
  expect(amounts).toEqual([
    [-100, -1.6], // 80 units are free: 0.00 - 1.60
    [30, 0.6], // 80 x 0.02 - 1.00
    [150, 1], // 50 x 0.02
  ]);
  await expectCleanBooks();
});

test('a dry run and explain show usage so far', async () => {
  const id = await begin({ addons: [{ plan: 'data' }] });
  const [{ id: addon }] = (await read(id)).addons;
  moveTo(day(3, 20));
  await report(id, 150, day(3, 10), { addon });
  const { body } = await metered.api.sandbox.patch(`/subscriptions/${id}?dry_run=1`, {});
  const [next] = body.invoices;
  expect(next.items.map(({ plan, quantity, amount }: Record<string, unknown>) => [plan, quantity, amount])).toEqual([
    ['gold', 1, 10],
    ['data', 100, 0],
    ['data', 50, 1],
  ]);
  expect(await usageOf(id)).toMatchObject([{ billed: false }]);
  const sql = await connect(metered.api.databaseUrl);
  const { id: accountId, timeZone } = metered.api.sandbox.account;
  const named = { accountId, id, account: 'sandbox', environment: 'sandbox' as const, timeZone };
  const words = explainSubscription(await readSubscriptionFacts(sql, named), id).join(' ');
  await sql.close();
  expect(words).toContain('usage so far: 100 x 0.00 + 50 x 0.02 = 1.00 usd');
});
