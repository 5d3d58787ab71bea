import { expect, test } from '@jest/globals';
import { APRIL, dayOf2027 as day, goldSubscriptions, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Bills of periods that were billed ahead and do not begin: voided, or credited. The test takes the steps as their processes would. */

const gold = goldSubscriptions(async ({ make }) => {
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  await make('/coupons', { id: 'tenth', name: 'A tenth', value: 10 });
  await make('/coupons', { id: 'half', name: 'Half, once', value: 50, duration: 1 });
  await make('/coupons', { id: 'free', name: 'Free, once', value: 100, duration: 1 });
});
const { bills, cancel, change, customerWith, expectCleanBooks, invoices } = gold;

const N = { bill_in_advance_days: 5 };

test('canceling at once voids the invoice of a period that has not begun', async () => {
  const id = await gold.begin(N);
  await gold.advanceTo(id, day(3, 28));
  expect((await cancel(id)).body).toMatchObject({ status: 'canceled', canceled_at: day(3, 28) });
  expect(await bills(id)).toEqual([
    [MARCH, MARCH, APRIL, 'not_sent'],
    [day(3, 27), APRIL, MAY, 'voided'],
  ]);
  const { body } = await gold.api.sandbox.get(`/subscriptions/${id}?include=latest_invoice`);
  expect(body.latest_invoice).toMatchObject({ date: day(3, 27), status: 'voided' });
  await expectCleanBooks();
});

test.each([
  ['canceled at the end of its period', { cancel_at_period_end: true }, { cancel_at_period_end: false }],
  ['paused', { paused: true }, { paused: false }],
  ['paused at the end of its period', { pause_at_period_end: true }, { pause_at_period_end: false }],
])('a subscription that is %s has its bill ahead voided, and made again when that is undone', async (_, on, off) => {
  const id = await gold.begin(N);
  await gold.advanceTo(id, day(3, 28));
  await change(id, on);
  expect((await bills(id)).at(-1)).toEqual([day(3, 27), APRIL, MAY, 'voided']);
  await gold.advanceTo(id, day(3, 29));
  await change(id, off);
  await gold.advanceTo(id, APRIL);
  expect((await bills(id)).slice(1)).toEqual([
    [day(3, 27), APRIL, MAY, 'voided'],
    [day(3, 27), APRIL, MAY, 'not_sent'],
  ]);
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_start: APRIL, period_end: MAY });
  await expectCleanBooks();
});

test('a subscription that stays canceled ends with its period, without a bill', async () => {
  const id = await gold.begin(N);
  await gold.advanceTo(id, day(3, 28));
  await change(id, { cancel_at_period_end: true });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: APRIL });
  expect(await gold.billed(id)).toEqual([MARCH, day(3, 27)]);
  await expectCleanBooks();
});

test.each([
  ['in full', 10, 0], // 10.00 credited pay the open bill of March
  ['in part', 4, 6], // 6.00 pay the rest of the bill ahead, 4.00 the bill of March
])('a bill ahead that is paid %s is credited', async (_, paid, open) => {
  const customer = await customerWith();
  const id = await gold.begin({ ...N, customer });
  await gold.advanceTo(id, day(3, 28));
  const [, ahead] = await invoices(id);
  const applied_to = [{ type: 'invoice', invoice: ahead.id, amount: paid }];
  await gold.api.sandbox.make('/payments', { customer, amount: paid, applied_to });
  await cancel(id);
  const [note] = (await gold.api.sandbox.get(`/credit_notes?filter[invoice]=${ahead.id}`)).body;
  const line = { plan: 'gold', amount: 10, period_start: APRIL, period_end: MAY };
  expect(note).toMatchObject({ total: 10, number: expect.any(String), items: [line] });
  expect((await invoices(id)).map((one) => one.balance)).toEqual([open, 0]);
  const { body: balance } = await gold.api.sandbox.get(`/customers/${customer}/balance`);
  expect(balance).toMatchObject({ available_credits: 0 });
  await expectCleanBooks();
});

test('a bill ahead of which a part was written off is credited, and only what was paid becomes credit', async () => {
  const customer = await customerWith();
  const id = await gold.begin({ ...N, customer });
  await gold.advanceTo(id, day(3, 28));
  const [, ahead] = await invoices(id);
  const applied_to = [{ type: 'invoice', invoice: ahead.id, amount: 3 }];
  await gold.api.sandbox.make('/payments', { customer, amount: 3, applied_to });
  await gold.api.sandbox.post(`/invoices/${ahead.id}/write_off`, { amount: 2, reason: 'Goodwill' });
  await cancel(id);
  // The note of 10 pays 10 - 3 of the bill ahead, of which nothing is written off any more; the 3 that were paid pay the bill of March.
  expect((await invoices(id)).map((one) => [one.balance, one.written_off])).toEqual([
    [7, 0],
    [0, 0],
  ]);
  await expectCleanBooks();
});

test('a bill ahead with other lines is credited: the amount of the period, net of discounts, with its taxes', async () => {
  const customer = await customerWith({ taxes: ['vat'] });
  const id = await gold.begin({ ...N, customer, discounts: ['tenth'] });
  await gold.api.sandbox.make(`/customers/${customer}/line_items`, { name: 'Setup', unit_cost: 7 });
  await gold.advanceTo(id, day(3, 28));
  // 10 + 7 = 17.00, less 10 % = 15.30, and 20 % of that
  expect((await invoices(id))[1]).toMatchObject({ total: 18.36, balance: 18.36 });
  await change(id, { cancel_at_period_end: true });
  const [, ahead] = await invoices(id);
  const [note] = (await gold.api.sandbox.get(`/credit_notes?filter[invoice]=${ahead.id}`)).body;
  // 10 - 1 = 9.00, and 1.80
  expect(note).toMatchObject({ total: 10.8, items: [{ amount: 9, plan: 'gold' }], status: 'paid' });
  expect(ahead).toMatchObject({ status: 'not_sent', balance: 7.56 }); // 7 - 0.70 = 6.30, and 1.26
  await expectCleanBooks();
});

test('a bill ahead that a credit note corrects already is left to a person', async () => {
  const customer = await customerWith({ email: 'gold@example.test' });
  const id = await gold.begin({ ...N, customer });
  await gold.advanceTo(id, day(3, 28));
  const [, ahead] = await invoices(id);
  const items = [{ name: 'Sorry', unit_cost: 3 }];
  const { number } = await gold.api.sandbox.make('/credit_notes', { customer, invoice: ahead.id, items });
  await cancel(id);
  const names = (await gold.api.sandbox.get(`/tasks?filter[customer]=${customer}`)).body.map(
    ({ name }: { name: string }) => name,
  );
  const why = `bills a period that does not begin, and credit note ${number} corrects it already`;
  expect(names).toEqual([`Credit by hand: ${ahead.number} ${why}`]);
  await expectCleanBooks();
});

test('a held draft ahead is voided, and its pending lines become pending again', async () => {
  const customer = await customerWith({ credit_hold: true });
  const id = await gold.begin({ ...N, customer });
  const path = `/customers/${customer}/line_items`;
  const line = await gold.api.sandbox.make(path, { name: 'Setup', unit_cost: 7 });
  await gold.advanceTo(id, day(3, 28));
  expect((await invoices(id))[1]).toMatchObject({ status: 'draft', total: 17 });
  await cancel(id);
  expect((await invoices(id))[1]).toMatchObject({ status: 'voided', items: [{ plan: 'gold' }] });
  expect((await gold.api.sandbox.get(path)).body).toMatchObject([{ id: line.id, amount: 7 }]);
  await expectCleanBooks();
});

test('a contract that is no longer renewed has the bill ahead voided, and ends', async () => {
  const id = await gold.begin({ ...N, cycles: 2, contract_renewal_mode: 'auto' });
  await gold.advanceTo(id, day(4, 28));
  await change(id, { contract_renewal_mode: 'none' });
  expect((await bills(id)).at(-1)).toEqual([day(4, 26), MAY, JUNE, 'voided']);
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  await expectCleanBooks();
});

test('a coupon for one bill is used up when its period begins, and not by a bill that was voided', async () => {
  const id = await gold.begin(N);
  await change(id, { discounts: ['half'] });
  await gold.advanceTo(id, day(3, 28));
  await change(id, { cancel_at_period_end: true });
  await change(id, { cancel_at_period_end: false });
  await gold.advanceTo(id, day(3, 28));
  expect((await invoices(id)).map(({ total, status }) => [total, status])).toEqual([
    [10, 'not_sent'],
    [5, 'voided'],
    [5, 'not_sent'],
  ]);
  await change(id, { discounts: ['half', 'free'] }); // attached after the bill: for the next one
  await gold.advanceTo(id, APRIL);
  const codes = ({ discounts }: { discounts: { id: string }[] }) => discounts.map((coupon) => coupon.id);
  expect(codes(await gold.read(id))).toEqual(['free']);
  await gold.advanceTo(id, MAY);
  expect((await invoices(id)).at(-1)).toMatchObject({ date: day(4, 26), total: 0 });
  expect(codes(await gold.read(id))).toEqual([]);
  await expectCleanBooks();
});

test('the final action of AutoPay voids the bill ahead, also the one whose charge failed', async () => {
  const { sandbox } = gold.api;
  await sandbox.patch('/account', { autopay_final_action: 'cancel' });
  const customer = await customerWith({ autopay: true });
  const source = { method: 'credit_card', gateway_token: 'tok_4000000000000002', make_default: true };
  await sandbox.make(`/customers/${customer}/payment_sources`, source);
  const id = await gold.begin({ ...N, customer });
  await gold.advanceTo(id, day(3, 28));
  const [, ahead] = await invoices(id);
  expect((await sandbox.post(`/invoices/${ahead.id}/pay`)).status).toBeGreaterThanOrEqual(400);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: day(3, 28) });
  expect((await bills(id)).at(-1)).toEqual([day(3, 27), APRIL, MAY, 'voided']);
  await sandbox.patch('/account', { autopay_final_action: 'leave' });
  await expectCleanBooks();
});
