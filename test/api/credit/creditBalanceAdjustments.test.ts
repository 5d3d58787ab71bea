import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** Adjustments of credit balances. */

const NOW = Date.UTC(2027, 2, 10, 12) / 1000;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(NOW * 1000) });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
});

const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
const adjust = (amount: number, more: object = {}) =>
  api.sandbox.post('/credit_balance_adjustments', { customer, amount, ...more });

test('an adjustment can be created, read, listed, changed and deleted, each with its event', async () => {
  const { sandbox } = api;
  const { status, body } = await adjust(12.5, { notes: 'Goodwill' });
  expect(status).toBe(201);
  const times = { date: NOW, created_at: NOW, updated_at: NOW };
  expect(body).toEqual({
    id: expect.any(Number),
    object: 'credit_balance_adjustment',
    customer,
    currency: 'usd',
    amount: 12.5,
    notes: 'Goodwill',
    credit_note: null,
    refund: null,
    ...times,
  });
  const path = `/credit_balance_adjustments/${body.id}`;
  expect((await sandbox.get(path)).body).toEqual(body);
  const listed = await sandbox.get(`/credit_balance_adjustments?filter[customer]=${customer}&expand=customer`);
  expect(listed.body).toEqual([{ ...body, customer: expect.objectContaining({ name: 'Payer' }) }]);
  const changed = await sandbox.patch(path, { ...body, amount: -0, notes: null });
  expect(changed).toMatchObject(refused({ param: 'amount', message: 'Amount must not be 0' }));
  expect((await sandbox.patch(path, { ...body, amount: 20, notes: null })).body).toMatchObject({
    amount: 20,
    notes: null,
  });
  for (const [param, value] of Object.entries({ customer: 4711, currency: 'eur', amount: 1.005 }))
    expect(await sandbox.patch(path, { [param]: value })).toMatchObject(refused({ param }));
  expect((await sandbox.delete(path)).status).toBe(204);
  expect((await sandbox.get(path)).status).toBe(404);
  const events = (await sandbox.get(`/events?related_to=credit_balance_adjustment,${body.id}`)).body.toReversed();
  expect(events.map(({ type }: { type: string }) => type)).toEqual(
    ['created', 'updated', 'deleted'].map((verb) => `credit_balance_adjustment.${verb}`),
  );
  expect(events[1].data.previous).toEqual({ amount: 12.5, notes: 'Goodwill' });
  await clean();
});

test.each([
  [{ customer: undefined }, 'customer', 'Customer missing'],
  [{ customer: 4711 }, 'customer', 'Customer was not found: 4711'],
  [{ amount: undefined }, 'amount', 'Amount missing'],
  [{ amount: 0 }, 'amount', 'Amount must not be 0'],
  [{ amount: 1.005 }, 'amount', 'Amounts in usd have at most 2 decimals: 1.005'],
  [{ currency: 'xyz' }, 'currency', 'Currency must be an ISO 4217 currency code: xyz'],
  [{ amount: -1 }, 'amount', 'Customer has 0.00 usd of credit on 2027-03-10 12:00:00 UTC, less than 1.00'],
])('an adjustment with %j is refused, naming %s', async (body, param, message) => {
  const answer = await api.sandbox.post('/credit_balance_adjustments', { customer, amount: 10, ...body });
  expect(answer).toMatchObject(refused({ param, message }));
});

test('a credit balance stays below the limit of amounts, and sums of open balances of any size are shown', async () => {
  const largest = 999_999_999_999.99;
  expect((await adjust(largest)).status).toBe(201);
  const message = 'Amounts must be below 1000000000000: 1000000000000.00';
  expect(await adjust(0.01)).toMatchObject(refused({ param: 'amount', message }));
  expect((await api.sandbox.get(`/customers/${customer}/balance`)).body).toMatchObject({ available_credits: largest });
  const debtor = (await api.sandbox.make('/customers', { name: 'Debtor' })).id;
  const items = [{ name: 'Dam', unit_cost: largest }];
  for (let made = 0; made < 11; made += 1) await api.sandbox.post('/invoices', { customer: debtor, items });
  // 11 x 999,999,999,999.99 = 10,999,999,999,999.89, of sixteen digits
  expect((await api.sandbox.get(`/customers/${debtor}/balance`)).body.total_outstanding).toBe(10_999_999_999_999.89);
  await clean();
});
