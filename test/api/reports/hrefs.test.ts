import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

/** Each number of a row is the sum of the rows to which it leads. Each case has an account of its own, in UTC. */

let api: TestApi;
let now = 0;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const on = (day: string) => {
  now = seconds(day) * 1000;
};

interface Row {
  // biome-ignore lint/suspicious/noExplicitAny: cells of any report
  [cell: string]: any;
  hrefs: Record<string, string>;
}

async function business(name: string) {
  on('2027-03-01');
  const { sandbox: client } = await api.open(name);
  successBody(await client.patch('/account', { time_zone: 'UTC' }));
  const customer: number = (await client.make('/customers', { name: 'Acme' })).id;
  return { client, customer };
}

const rowsOf = async (client: Client, path: string): Promise<Row[]> =>
  successBody(await client.get(path.startsWith('/') ? path : `/reports/${path}`)).rows;
const invoice = (client: Client, customer: number, amount: number, more = {}) =>
  client.make('/invoices', { customer, items: [{ unit_cost: amount }], ...more });
const pay = (client: Client, customer: number, to: { id: number; amount: number }) =>
  client.make('/payments', {
    customer,
    amount: to.amount,
    method: 'check',
    applied_to: [{ type: 'invoice', invoice: to.id, amount: to.amount }],
  });

/** What a number is, and the sum of the amounts, or of the column, to which it leads. */
async function traced(client: Client, row: Row | undefined, ids: string[], column?: string) {
  const found: [string, number, number][] = [];
  for (const id of ids) {
    const rows = await rowsOf(client, row?.hrefs[id] ?? 'without a path');
    found.push([id, row?.[id], rows.reduce((sum, cells) => sum + cells[column ?? id], 0)]);
  }
  return found;
}

/** Takes the due steps of an invoice. */
async function step(client: Client, id: number): Promise<void> {
  const accountId = client.account.id;
  const key = { accountId, id, lookUpDelay: 60_000 };
  const one = () => inTransaction(api.deps.em, (em) => advanceInvoice(em, key, new Date(now)));
  while ((await withAccount(accountId, one)).did !== null);
}

test('a discount that was taken is a movement of its own; one that was lost is owed again', async () => {
  const { client, customer } = await business('Discounts');
  successBody(await client.patch('/account', { late_fee_document: 'invoice' })); // a credit note grants the discount
  const terms = { payment_terms: '2% 10 NET 30' };
  const early = await invoice(client, customer, 100, terms);
  on('2027-03-05');
  await pay(client, customer, { id: early.id, amount: 98 });
  await step(client, early.id);
  successBody(await client.patch('/account', { late_fee_document: 'line' })); // the invoice has the discount
  const late = await invoice(client, customer, 200, terms);
  expect(late.total).toBe(196); // less 2 %
  on('2027-03-20');
  await step(client, late.id);
  const [row] = await rowsOf(client, 'roll_forward?start=2027-03-01&end=2027-03-31');
  // 100 + 196 - 2 - 98 + 4 = 200
  const moved = { invoiced: 296, discounts: -2, credited: 0, paid: -98, other: 4, closing: 200 };
  expect(row).toMatchObject({ opening: 0, ...moved });
  expect(await traced(client, row, ['invoiced', 'discounts', 'credited', 'other'], 'amount')).toEqual([
    ['invoiced', 296, 296],
    ['discounts', -2, -2],
    ['credited', 0, 0],
    ['other', 4, 4],
  ]);
});

test('tax of a rate that was changed leads to the documents of each percentage', async () => {
  const { client, customer } = await business('Rates');
  const sell = async (amount: number, rate: object) => {
    await client.make('/tax_rates', { id: 'vat', name: 'VAT', ...rate });
    await invoice(client, customer, amount, { taxes: ['vat'] });
    expect((await client.delete('/tax_rates/vat')).status).toBe(204); // to be created again
  };
  await sell(100, { value: 19 });
  await sell(200, { value: 16 });
  await sell(116, { value: 16, inclusive: true });
  const days = 'tax?start=2027-03-01&end=2027-03-31';
  const traces = (await rowsOf(client, days)).map(async (row) => [
    row.percent,
    await traced(client, row, ['base', 'tax']),
  ]);
  expect(await Promise.all(traces)).toEqual([
    [
      16,
      [
        ['base', 200, 200],
        ['tax', 32, 32],
      ],
    ],
    [
      16,
      [
        ['base', 100, 100],
        ['tax', 16, 16],
      ],
    ], // of 116
    [
      19,
      [
        ['base', 100, 100],
        ['tax', 19, 19],
      ],
    ],
  ]);
  const sums = async (more: string) => (await rowsOf(client, `${days}&${more}`)).map(({ tax }) => tax);
  expect(await sums('percent=19.0')).toEqual([19]);
  expect(await sums('percent=none')).toEqual([]);
  expect(await sums('tax_behavior=inclusive')).toEqual([16]);
  expect(await client.get(`/reports/${days}&percent=much`)).toMatchObject(refused({ param: 'percent' }));
  // The column `name` of these rows is that of the rate.
  const byCustomer = await rowsOf(client, `${days}&detail=customer&group_by=customer`);
  expect(byCustomer).toMatchObject([{ customer, name: 'Acme', tax: 19 + 32 + 16, rows: 3 }]);
  const [posted] = await rowsOf(client, 'journal?start=2027-03-01&end=2027-03-31&group_by=customer');
  expect(posted).toMatchObject({ customer, name: 'Acme' });
});

test('paths to fewer days ask for the owner of the same day', async () => {
  const { client, customer } = await business('Owners');
  const { id: owner } = await colleague(api, client, { role: 'employee' });
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 10 });
  on('2027-03-02');
  const { id } = await invoice(client, customer, 100, { taxes: ['vat'] });
  await pay(client, customer, { id, amount: 50 });
  on('2027-03-10');
  successBody(await client.patch(`/customers/${customer}`, { owner }));
  on('2027-03-31');
  const of = `start=2027-03-01&end=2027-03-31&owner=${owner}`;
  const [cash] = await rowsOf(client, `cash_received?${of}`);
  expect(await traced(client, cash, ['received'])).toEqual([['received', 50, 50]]);
  const [sold] = await rowsOf(client, `sales?${of}&group=day`);
  expect(await traced(client, sold, ['total'])).toEqual([['total', 100, 100]]);
  const [taxed] = await rowsOf(client, `tax?${of}&group=day`);
  expect(await traced(client, taxed, ['tax'])).toEqual([['tax', 10, 10]]);
  const [earned] = await rowsOf(client, `deferred_revenue?${of}&group=day`);
  expect(await traced(client, earned, ['recognized'])).toEqual([['recognized', 100, 100]]);
  const [forward] = await rowsOf(client, `roll_forward?start=2027-03-05&end=2027-03-31&owner=${owner}`);
  expect(await traced(client, forward, ['opening', 'closing'], 'amount')).toEqual([
    ['opening', 60, 60], // 110 - 50
    ['closing', 60, 60],
  ]);
  // Asked for by itself: the owner of the 9th owned nothing.
  expect(successBody(await client.get(`/reports/cash_received?${of}&owner_on=2027-03-09`))).toMatchObject({
    parameters: { owner, owner_on: '2027-03-09' },
    rows: [],
  });
  const byOwner = async (more: string) =>
    (await rowsOf(client, `open_items?as_of=2027-03-31&group_by=owner${more}`)).map((row) => row.owner);
  expect([await byOwner(''), await byOwner('&owner_on=2027-03-09')]).toEqual([[owner], [null]]);
});

test('numbers of the books lead to debits, credits and all entries until a day', async () => {
  const { client, customer } = await business('Books');
  await invoice(client, customer, 7);
  on('2027-04-01');
  const { id } = await invoice(client, customer, 100);
  await pay(client, customer, { id, amount: 40 });
  on('2027-04-30');
  const days = 'start=2027-04-01&end=2027-04-30';
  const row = (await rowsOf(client, `trial_balance?${days}`)).find((one) => one.ledger_account === 'receivable');
  expect(await traced(client, row, ['opening', 'debits', 'credits', 'closing'], 'amount')).toEqual([
    ['opening', 7, 7],
    ['debits', 100, 100],
    ['credits', 40, -40],
    ['closing', 67, 67], // 7 + 100 - 40
  ]);
  expect(new URLSearchParams(row?.hrefs.debits).get('gl_account')).toBe('none');
  const [dso] = await rowsOf(client, `dso?${days}`);
  expect(await traced(client, dso, ['opening', 'invoiced', 'closing', 'not_due'], 'amount')).toEqual([
    ['opening', 7, 7],
    ['invoiced', 100, 100],
    ['closing', 67, 67],
    ['not_due', dso?.not_due, dso?.not_due],
  ]);
  for (const wrong of ['movement=paid,nothing', 'side=both', `gl_account=${'x'.repeat(300)}`])
    expect(await client.get(`/reports/journal?${days}&${wrong}`)).toMatchObject(
      refused({ param: wrong.split('=')[0] }),
    );
});

test('what is promised and on a payment plan leads to its invoices', async () => {
  const { client, customer } = await business('Parts of aging');
  await invoice(client, customer, 1);
  const promised = await invoice(client, customer, 2);
  const planned = await invoice(client, customer, 4);
  const date = seconds('2027-04-01');
  successBody(await client.patch(`/invoices/${promised.id}`, { expected_payment_date: { date, method: 'check' } }));
  const installments = [date, seconds('2027-05-01')].map((day) => ({ date: day, amount: 2 }));
  successBody(await client.post(`/invoices/${planned.id}/payment_plan`, { installments }));
  const [row] = await rowsOf(client, 'aging?as_of=2027-03-01');
  expect(await traced(client, row, ['promised', 'on_plan', 'disputed', 'total'], 'amount')).toEqual([
    ['promised', 2, 2],
    ['on_plan', 4, 4],
    ['disputed', 0, 0],
    ['total', 7, 7],
  ]);
});

test('a write-off of an invoice that is voided later is shown as it was known', async () => {
  const { client, customer } = await business('Voided later');
  const { id } = await invoice(client, customer, 30);
  on('2027-03-10');
  successBody(await client.patch(`/invoices/${id}`, { closed: true }));
  on('2027-03-20');
  successBody(await client.post(`/invoices/${id}/void`));
  on('2027-03-31');
  const march = 'start=2027-03-01&end=2027-03-31';
  const known = `known_at=${seconds('2027-03-15')}`;
  expect(await rowsOf(client, `write_offs?${march}&${known}`)).toMatchObject([{ invoice: id, amount: 30 }]);
  expect(await rowsOf(client, `roll_forward?${march}&${known}`)).toMatchObject([{ written_off: -30, closing: 0 }]);
  expect(await rowsOf(client, `write_offs?${march}`)).toEqual([]);
});

test('revenue at the start of a month is the sum of the movements before it', async () => {
  const { client, customer } = await business('Starts');
  await client.make('/plans', { id: 'monthly', name: 'Monthly', amount: 10, interval: 'month' });
  await client.make('/subscriptions', { customer, plan: 'monthly' });
  on('2027-04-20');
  const days = 'start=2027-03-01&end=2027-04-20';
  const [march, april] = await rowsOf(client, `mrr?${days}`);
  expect(await traced(client, march, ['start', 'end'], 'amount')).toEqual([
    ['start', 0, 0],
    ['end', 10, 10],
  ]);
  expect(await traced(client, april, ['start', 'end'], 'amount')).toEqual([
    ['start', 10, 10],
    ['end', 10, 10],
  ]);
  const [, churned] = await rowsOf(client, `churn?${days}`);
  expect(await traced(client, churned, ['start'], 'amount')).toEqual([['start', 10, 10]]);
});

test('an entry is of the customer whose credit, payment or invoice it is; what a merged customer had is its heir’s', async () => {
  const { client, customer: parent } = await business('Family');
  const { id: child } = await client.make('/customers', { name: 'Child', parent_customer: parent });
  const { id: other } = await client.make('/customers', { name: 'Other' });
  const bill = await invoice(client, child, 20);
  await client.make('/credit_balance_adjustments', { customer: other, currency: 'usd', amount: 2 });
  await client.make('/credit_balance_adjustments', { customer: parent, currency: 'usd', amount: 7 });
  const applied_to = [{ type: 'applied_credit', invoice: bill.id, amount: 7 }];
  await client.make('/payments', { customer: parent, amount: 7, method: 'other', applied_to });
  successBody(await client.post(`/customers/${parent}/merge`, { customer: other }));
  const sums = async (customer: number) => {
    const found: Record<string, number> = {};
    for (const { ledger_account: name, amount } of await rowsOf(
      client,
      `journal?start=2027-03-01&customer=${customer}`,
    ))
      found[name] = (found[name] ?? 0) + amount;
    return found;
  };
  const { receivable, revenue, customer_credits } = await sums(child);
  expect([receivable, revenue, customer_credits]).toEqual([20 - 7, -20, undefined]);
  expect((await sums(parent)).customer_credits).toBe(-2); // 7 came and went
  const [row] = await rowsOf(client, `journal?start=2027-03-01&customer=${child}&ledger_account=receivable`);
  expect(row?.hrefs).toEqual({ customer: `/customers/${child}`, invoice: `/invoices/${bill.id}` });
});
