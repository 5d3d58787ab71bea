import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';

/** Invoices that a customer is asked for, as the preview of its cadence shows them. */

let api: TestApi;
let cadence: number;
let clock: number;

const seconds = (day: string) => Date.parse(day) / 1000;

beforeAll(async () => {
  api = await startApi();
  clock = (await api.sandbox.make('/test_clocks', { name: 'c', frozen_time: seconds('2027-01-04T08:00Z') })).id;
  const steps = [{ name: 'Ask', action: 'phone', schedule: 'age:0' }];
  cadence = (await api.sandbox.make('/chasing_cadences', { name: 'c', steps })).id;
});
afterAll(() => api.close());

const customerWith = async (over: object = {}): Promise<number> =>
  (await api.sandbox.make('/customers', { name: 'Ann', test_clock: clock, chasing_cadence: cadence, ...over })).id;

const invoiceOf = async (customer: number, over: object = {}): Promise<number> =>
  (await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: 50 }], ...over })).id;

/** The first step of a customer as "2027-01-04: 50 usd", or the reason why there is none. */
async function asked(customer: number): Promise<string> {
  const { customers } = successBody(await api.sandbox.get(`/chasing_cadences/${cadence}/preview?customer=${customer}`));
  const [{ steps, reason }] = customers;
  if (steps.length === 0) return reason;
  const [{ at, balances }] = steps;
  const amounts = balances.map(
    ({ currency, balance }: { currency: string; balance: number }) => `${balance} ${currency}`,
  );
  return `${new Date(at * 1000).toISOString().slice(0, 10)}: ${amounts.join(', ')}`;
}

/** A debit that is pending for two days. */
const ACH = { method: 'ach', gateway_token: 'tok_123123123_123123893' };

test.each<[string, string, (customer: number) => Promise<unknown>]>([
  ['an open invoice', '2027-01-04: 50 usd', invoiceOf],
  [
    'invoices in two currencies',
    '2027-01-04: 50 eur, 50 usd',
    async (id) => [await invoiceOf(id), await invoiceOf(id, { currency: 'eur' })],
  ],
  ['a draft', 'nothing_open', (id) => invoiceOf(id, { draft: true })],
  ['a voided invoice', 'nothing_open', async (id) => api.sandbox.post(`/invoices/${await invoiceOf(id)}/void`)],
  [
    'an invoice that was given up',
    'nothing_open',
    async (id) => api.sandbox.patch(`/invoices/${await invoiceOf(id)}`, { closed: true }),
  ],
  [
    'an invoice that AutoPay charges',
    'nothing_open',
    async (id) => {
      await api.sandbox.post(`/customers/${id}/payment_sources`, { ...ACH, make_default: true });
      return invoiceOf(id, { autopay: true });
    },
  ],
  [
    'an invoice with a pending payment',
    'nothing_open',
    async (customer) => {
      const applied_to = [{ type: 'invoice', invoice: await invoiceOf(customer), amount: 20 }];
      return api.sandbox.make('/charges', { customer, amount: 20, ...ACH, applied_to });
    },
  ],
  [
    'an invoice whose payment is disputed: the next day looks again',
    '2027-01-05: 47 usd',
    async (customer) =>
      seedDispute(api, api.sandbox, customer, [{ type: 'invoice', invoice: await invoiceOf(customer), amount: 3 }]),
  ],
  [
    'a promised payment: the day after the promised one',
    '2027-01-12: 50 usd',
    async (customer) => {
      const expected_payment_date = { date: seconds('2027-01-11T12:00Z') };
      return api.sandbox.patch(`/invoices/${await invoiceOf(customer)}`, { expected_payment_date });
    },
  ],
  [
    'unapplied money is subtracted',
    '2027-01-04: 30 usd',
    async (customer) => {
      await invoiceOf(customer);
      return api.sandbox.make('/payments', { customer, amount: 20 });
    },
  ],
  [
    'credit is subtracted',
    '2027-01-04: 45 usd',
    async (customer) => {
      await invoiceOf(customer);
      return api.sandbox.make('/credit_balance_adjustments', { customer, amount: 5 });
    },
  ],
  [
    'a customer that is not chased',
    'switched_off',
    async (customer) => {
      await invoiceOf(customer);
      return api.sandbox.patch(`/customers/${customer}`, { chase: false });
    },
  ],
])('%s: %s', async (_, expected, make) => {
  const customer = await customerWith();
  await make(customer);
  expect(await asked(customer)).toBe(expected);
});
