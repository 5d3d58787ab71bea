import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

/** What corrections, voids and money that goes back do to the numbers of earlier days. Each case has a customer of its own. */

let api: TestApi;
let client: Client;
let now = 0;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.sandbox;
  await client.patch('/account', { time_zone: 'UTC' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const on = (day: string) => {
  now = seconds(day) * 1000;
};
const customer = async (name: string, more = {}): Promise<number> =>
  (await client.make('/customers', { name, ...more })).id;
const invoice = (of: number, amount: number, day: string, more = {}) =>
  client.make('/invoices', { customer: of, items: [{ unit_cost: amount }], date: seconds(day), ...more });
const rowsOf = async (path: string) => {
  const { status, body } = await client.get(`/reports/${path}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.rows;
};
const openOn = async (of: number, ...days: string[]) => {
  const found: number[] = [];
  for (const day of days) found.push((await rowsOf(`aging?as_of=${day}&customer=${of}`))[0]?.total ?? 0);
  return found;
};

/** Takes the due steps of an invoice. */
async function step(id: number): Promise<void> {
  const accountId = client.account.id;
  const key = { accountId, id, lookUpDelay: 60_000 };
  const one = () => inTransaction(api.deps.em, (em) => advanceInvoice(em, key, new Date(now)));
  while ((await withAccount(accountId, one)).did !== null);
}

test('an invoice with a late fee that is voided never was; nor is one that was written off', async () => {
  on('2027-01-05');
  const id = await customer('Voided');
  const { id: schedule } = await client.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  const charged = await invoice(id, 100, '2027-01-05', { due_date: seconds('2027-02-01') });
  on('2027-02-03');
  await step(charged.id);
  await step(charged.id);
  successBody(await client.delete(`/late_fee_schedules/${schedule}`));
  expect(await openOn(id, '2027-02-02', '2027-02-03')).toEqual([100, 110]); // a fee of 10 counts from its day
  const lost = await invoice(id, 50, '2027-01-05');
  successBody(await client.patch(`/invoices/${lost.id}`, { closed: true }));
  on('2027-03-01');
  successBody(await client.post(`/invoices/${charged.id}/void`));
  successBody(await client.post(`/invoices/${lost.id}/void`));
  expect(await openOn(id, '2027-01-05', '2027-02-02', '2027-02-03', '2027-03-01')).toEqual([0, 0, 0, 0]);
  expect(await rowsOf(`write_offs?start=2027-01-01&end=2027-03-31&customer=${id}`)).toEqual([]);
});

test('each movement of a roll-forward has its cause, and its entries', async () => {
  on('2027-05-01');
  const id = await customer('Moved');
  const first = await invoice(id, 1000, '2027-05-01');
  const to = (amount: number) => [{ type: 'invoice', invoice: first.id, amount }];
  const payment = { customer: id, method: 'wire_transfer', date: seconds('2027-05-02') };
  const { id: back } = await client.make('/payments', { ...payment, amount: 200, applied_to: to(200) });
  await client.make('/payments', { ...payment, amount: 300, applied_to: to(300) });
  on('2027-05-10');
  await client.make('/credit_notes', { customer: id, invoice: first.id, items: [{ unit_cost: 64 }] });
  await client.make('/refunds', {
    payment: back,
    amount: 200,
    method: 'wire_transfer',
    date: seconds('2027-05-10'),
    returned: true,
  });
  on('2027-05-20');
  successBody(await client.post(`/invoices/${first.id}/write_off`, { amount: 36, reason: 'Small' }));
  const [row] = await rowsOf('roll_forward?start=2027-05-01&end=2027-05-31');
  // 1000 - 64 - 500 + 200 - 36 = 600
  expect(row).toMatchObject({
    opening: 0,
    invoiced: 1000,
    credited: -64,
    paid: -500,
    returned: 200,
    written_off: -36,
    closing: 600,
  });
  for (const [movement, href] of Object.entries<string>(row.hrefs)) {
    const { body } = await client.get(href);
    expect([movement, body.totals[0]?.amount ?? 0]).toEqual([movement, row[movement]]);
  }
});

test('a corrected payment counts as it is now, and a voided one not at all', async () => {
  on('2027-06-01');
  const id = await customer('Corrected');
  const cash = async () => rowsOf('cash_received?start=2027-06-01&end=2027-06-30');
  const { id: unknown } = await client.make('/payments', {
    amount: 100,
    currency: 'usd',
    method: 'check',
    date: seconds('2027-06-01'),
  });
  on('2027-06-02');
  successBody(await client.patch(`/payments/${unknown}`, { customer: id }));
  successBody(await client.patch(`/payments/${unknown}`, { amount: 90 }));
  const { id: wrong } = await client.make('/payments', {
    customer: id,
    amount: 7,
    method: 'check',
    date: seconds('2027-06-03'),
  });
  successBody(await client.delete(`/payments/${wrong}`));
  expect(await cash()).toMatchObject([
    { date: '2027-06-01', method: 'check', count: 1, received: 90, returned: 0, fees: 0 },
  ]);
  expect(await rowsOf(`cash_received?start=2027-06-01&end=2027-06-30&customer=${id}`)).toMatchObject([
    { received: 90 },
  ]);
});

test('credit that is paid out is money that went back to its customer', async () => {
  on('2027-07-01');
  const id = await customer('Paid out');
  await client.make('/credit_balance_adjustments', { customer: id, currency: 'usd', amount: 40 });
  await client.make('/refunds', { customer: id, currency: 'usd', amount: 15, method: 'check' });
  const range = `start=2027-07-01&end=2027-07-31&customer=${id}`;
  expect(await rowsOf(`refunds_and_disputes?${range}`)).toMatchObject([
    { name: 'Paid out', payment: null, kind: 'refund', amount: 15 },
  ]);
  expect(await rowsOf(`cash_received?${range}`)).toMatchObject([{ received: 0, returned: 15 }]);
  expect(await rowsOf(`credits?as_of=2027-07-31&customer=${id}`)).toMatchObject([{ balance: 25 }]);
});

test('owner, promise and payment plan are those of the day', async () => {
  on('2027-08-01');
  const [first, second] = [
    await colleague(api, client, { role: 'employee' }),
    await colleague(api, client, { role: 'employee' }),
  ];
  const id = await customer('Then', { owner: first.id });
  const owed = await invoice(id, 80, '2027-08-01');
  on('2027-08-10');
  successBody(await client.patch(`/customers/${id}`, { owner: second.id }));
  successBody(
    await client.post(`/invoices/${owed.id}/payment_plan`, {
      installments: ['2027-09-01', '2027-10-01'].map((day) => ({ date: seconds(day), amount: 40 })),
    }),
  );
  on('2027-08-15');
  successBody(await client.delete(`/invoices/${owed.id}/payment_plan`));
  on('2027-08-20');
  successBody(
    await client.patch(`/invoices/${owed.id}`, {
      expected_payment_date: { date: seconds('2027-09-01'), method: 'check' },
    }),
  );
  on('2027-08-25');
  const then = async (day: string) => {
    const [row] = await rowsOf(`aging?as_of=${day}&customer=${id}`);
    const owners = [first, second].map(
      async (member) => (await rowsOf(`aging?as_of=${day}&customer=${id}&owner=${member.id}`)).length,
    );
    return [row.on_plan, row.promised, ...(await Promise.all(owners))];
  };
  expect(await then('2027-08-05')).toEqual([0, 0, 1, 0]);
  expect(await then('2027-08-12')).toEqual([80, 0, 0, 1]);
  expect(await then('2027-08-18')).toEqual([0, 0, 0, 1]);
  expect(await then('2027-08-20')).toEqual([0, 80, 0, 1]);
});

test('a due date is that of the day', async () => {
  on('2027-10-10');
  const id = await customer('Extended');
  const owed = await invoice(id, 5, '2027-10-01', { due_date: seconds('2027-10-05') });
  const early = now / 1000;
  on('2027-10-20');
  successBody(await client.patch(`/invoices/${owed.id}`, { due_date: seconds('2027-11-15') }));
  on('2027-10-25');
  const dueOn = async (more: string) =>
    (await rowsOf(`open_items?customer=${id}&${more}`)).map((row: Record<string, unknown>) => [row.due_date, row.age]);
  expect(await dueOn('as_of=2027-10-19')).toEqual([['2027-10-05', 14]]);
  expect(await dueOn('as_of=2027-10-20')).toEqual([['2027-11-15', -26]]);
  expect(await dueOn(`as_of=2027-10-20&known_at=${early}`)).toEqual([['2027-10-05', 15]]);
  expect(await rowsOf(`aging?customer=${id}&as_of=2027-10-19`)).toMatchObject([{ days_1_30: 5, not_due: 0 }]);
  const notDue = async (day: string) =>
    (await rowsOf(`dso?start=2027-10-01&end=${day}&customer=${id}`)).map((row: Record<string, unknown>) => row.not_due);
  expect([await notDue('2027-10-05'), await notDue('2027-10-19'), await notDue('2027-10-20')]).toEqual([[5], [0], [5]]);
});

test('a draft that is issued later, with an earlier date, has the due date of its issue on earlier days, too', async () => {
  on('2027-11-01');
  const id = await customer('Drafted');
  const more = { draft: true, payment_terms: 'NET 4' };
  const draft = await invoice(id, 5, '2027-11-01', more);
  on('2027-11-20');
  successBody(await client.patch(`/invoices/${draft.id}`, { draft: false }));
  const [item] = await rowsOf(`open_items?customer=${id}&as_of=2027-11-10`);
  // The draft said 5 November; issued on the 20th, it is due four days later.
  expect([draft.due_date, item]).toMatchObject([seconds('2027-11-05'), { due_date: '2027-11-24', amount: 5 }]);
});

test('cash leads to the payments of its day and method', async () => {
  on('2027-12-01');
  const id = await customer('Paying');
  const owed = await invoice(id, 100, '2027-12-01');
  const pay = (amount: number, method: string) =>
    client.make('/payments', {
      customer: id,
      amount,
      method,
      date: seconds('2027-12-01'),
      applied_to: [{ type: 'invoice', invoice: owed.id, amount }],
    });
  for (const amount of [1, 2]) await pay(amount, 'check');
  await pay(4, 'cash');
  const of = `start=2027-12-01&end=2027-12-31&customer=${id}`;
  const rows = await rowsOf(`cash_received?${of}`);
  expect(rows).toMatchObject([
    { method: 'cash', count: 1, received: 4 },
    { method: 'check', count: 2, received: 3 },
  ]);
  const behind = (await client.get(rows[1].hrefs.received)).body;
  expect(behind.rows.map(({ name, received }: Record<string, unknown>) => [name, received])).toEqual([
    ['Paying', 1],
    ['Paying', 2],
  ]);
  // 100 - 1 - 2 - 4 = 93 are open
  expect(await rowsOf(`roll_forward?${of}`)).toMatchObject([{ opening: 0, invoiced: 100, paid: -7, closing: 93 }]);
  // 93 / 100 x 31 = 28.83 days, also by countback; nothing of the 93 is due: (0 + 100 - 93) / (100 - 93)
  expect(await rowsOf(`dso?${of}`)).toMatchObject([{ dso: 28.83, countback: 28.83, not_due: 93, effectiveness: 1 }]);
});
