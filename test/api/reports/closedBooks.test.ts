import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { actsOf } from '../../support/auditLog.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

/** Closed months and general ledger accounts by hand. Each case has an account of its own, in New York. */

let api: TestApi;
let now = 0;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const seconds = (day: string) => Date.parse(`${day}T17:00:00Z`) / 1000;
const on = (day: string) => {
  now = seconds(day) * 1000;
};

interface Row {
  [column: string]: string | number | boolean | null;
}

async function business(name: string) {
  on('2028-01-03');
  const { sandbox: client } = await api.open(name);
  successBody(await client.patch('/account', { time_zone: 'America/New_York' }));
  const { id: customer } = await client.make('/customers', { name: 'Acme' });
  return { client, customer: Number(customer) };
}

const rowsOf = async (client: Client, path: string): Promise<Row[]> =>
  successBody(await client.get(`/reports/${path}`)).rows;
const close = (client: Client, day: string | null) => client.patch('/account', { books_closed_through: day });
const invoice = (client: Client, customer: number, amount: number, more = {}) =>
  client.make('/invoices', { customer, items: [{ unit_cost: amount }], ...more });
const pay = (client: Client, customer: number, of: { invoice: number; amount: number; day: string }) => {
  const applied_to = [{ type: 'invoice', invoice: of.invoice, amount: of.amount }];
  return client.make('/payments', { customer, amount: of.amount, date: seconds(of.day), method: 'check', applied_to });
};
/** Balances of a ledger account at the ends of days. */
async function balances(client: Client, account: string, days: string[], more = ''): Promise<number[]> {
  const found: number[] = [];
  for (const day of days) {
    const rows = await rowsOf(client, `trial_balance?start=${day}&end=${day}${more}`);
    found.push(Number(rows.find((row) => row.ledger_account === account)?.closing ?? 0));
  }
  return found;
}

test('a payment stays in a closed month in which it counted because its invoice had been moved there', async () => {
  const { client, customer } = await business('Redated');
  on('2028-01-06');
  const { id } = await invoice(client, customer, 64, { date: seconds('2027-12-20') });
  const { id: payment } = await pay(client, customer, { invoice: id, amount: 64, day: '2027-11-25' });
  const back = { payment, amount: 64, method: 'wire_transfer', returned: true, date: seconds('2027-12-28') };
  await client.make('/refunds', back);
  const redate = async (day: string) => successBody(await client.patch(`/invoices/${id}`, { date: seconds(day) }));
  await redate('2027-11-10');
  on('2028-01-07');
  successBody(await close(client, '2027-11-30'));
  // In November the invoice of 64 is paid by the 64; they went back on 28 December.
  const days = ['2027-11-30', '2027-12-28'];
  expect(await balances(client, 'receivable', days)).toEqual([0, 64]);
  on('2028-01-08');
  await redate('2027-12-15');
  expect(await balances(client, 'receivable', days)).toEqual([0, 64]);
  expect(await balances(client, 'unapplied', days)).toEqual([0, 0]);
});

test('what comes later for a closed month counts on the first open day, and the journal says so', async () => {
  const { client, customer } = await business('Late');
  on('2028-01-10');
  const { id } = await invoice(client, customer, 100);
  on('2028-02-05');
  expect(successBody(await close(client, '2028-01-31'))).toMatchObject({ books_closed_through: '2028-01-31' });
  await pay(client, customer, { invoice: id, amount: 40, day: '2028-01-20' });
  const days = ['2028-01-31', '2028-02-01'];
  expect(await balances(client, 'receivable', days)).toEqual([100, 60]);
  expect(await balances(client, 'receivable', days, '&books=open')).toEqual([60, 60]);
  const [aged] = await rowsOf(client, 'aging?as_of=2028-01-31');
  expect(aged?.total).toBe(60); // 100 in the books, less 40 that came late
  const entries = await rowsOf(client, 'journal?start=2028-02-01&end=2028-02-29&ledger_account=receivable');
  const late = { date: '2028-02-01', document_date: '2028-01-20', posted_at: '2028-02-05', late: true };
  expect(entries).toMatchObject([{ ...late, amount: -40, reason: 'application' }]);
  expect(await rowsOf(client, 'journal?start=2028-01-01&end=2028-01-31&ledger_account=receivable')).toMatchObject([
    { date: '2028-01-10', amount: 100, late: false },
  ]);
  // What belongs to the open month is not late.
  await pay(client, customer, { invoice: id, amount: 10, day: '2028-02-03' });
  const [, own] = await rowsOf(client, 'journal?start=2028-02-01&end=2028-02-29&ledger_account=receivable');
  expect(own).toMatchObject({ date: '2028-02-03', amount: -10, late: false });
  const { body: csv } = await client.get('/reports/journal?start=2028-02-01&end=2028-02-29&format=csv');
  expect(csv).toContain(',2028-01-20,2028-02-05,true\r\n');
});

test('a late fee stays in the closed month, or in the open one, when its invoice is voided later', async () => {
  const { client, customer } = await business('Fees');
  await client.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  const charged = async (due: string, on_: string) => {
    const { id } = await invoice(client, customer, 100, { date: seconds('2028-01-05'), due_date: seconds(due) });
    on(on_);
    const key = { accountId: client.account.id, id, lookUpDelay: 60_000 };
    const one = () => inTransaction(api.deps.em, (em) => advanceInvoice(em, key, new Date(now)));
    while ((await withAccount(key.accountId, one)).did !== null);
    return id;
  };
  const early = await charged('2028-01-15', '2028-01-20'); // a fee of 10 in January
  const later = await charged('2028-02-01', '2028-02-03'); // a fee of 10 in February
  const days = ['2028-01-31', '2028-02-01', '2028-02-03'];
  expect(await balances(client, 'receivable', days)).toEqual([210, 210, 220]);
  await close(client, '2028-01-31');
  on('2028-02-20');
  successBody(await client.post(`/invoices/${early}/void`));
  successBody(await client.delete(`/invoices/${later}`));
  // January keeps 110 + 100. Both voids count on 1 February, with the fee of February: 210 - 110 - 110 + 10 = 0.
  expect(await balances(client, 'receivable', days)).toEqual([210, 0, 0]);
  expect(await balances(client, 'receivable', days, '&books=open')).toEqual([0, 0, 0]); // they never were
});

test('an application stays in the closed month when its invoice gets a later date', async () => {
  const { client, customer } = await business('Redated');
  on('2028-02-03');
  const { id } = await invoice(client, customer, 64, { date: seconds('2028-01-10') });
  const payment = await pay(client, customer, { invoice: id, amount: 64, day: '2028-01-12' });
  on('2028-02-05');
  await close(client, '2028-01-31');
  successBody(await client.patch(`/payments/${payment.id}`, { applied_to: [] }));
  successBody(await client.patch(`/invoices/${id}`, { date: seconds('2028-03-01') }));
  const days = ['2028-01-12', '2028-01-31', '2028-02-01', '2028-02-29', '2028-03-01'];
  // On 1 February it is not paid any more (+ 64), and has no longer its old date (- 64); it has the new one since 5 February.
  expect(await balances(client, 'receivable', days)).toEqual([0, 0, 0, 64, 64]);
  expect(await balances(client, 'unapplied', days)).toEqual([0, 0, -64, -64, -64]);
});

test('months are closed when they are over; reopening is an act of its own', async () => {
  const { client, customer } = await business('Reopened');
  on('2028-01-10');
  const { id } = await invoice(client, customer, 100);
  const param = 'books_closed_through';
  now = Date.parse('2028-03-01T04:59:00Z'); // a minute before the end of February in New York
  for (const day of ['2028-02-29', '2028-12-31', '2028-02-28', '2028-01-30', '2028-02-31', 'January', '31'])
    expect([day, await close(client, day)]).toMatchObject([day, refused({ param })]);
  now += 60_000;
  for (const day of ['2028-01-31', '2028-02-29']) successBody(await close(client, day));
  await pay(client, customer, { invoice: id, amount: 30, day: '2028-01-20' });
  expect(await actsOf(client, '?operation=reopenBooks')).toEqual([]);
  successBody(await close(client, '2028-01-31'));
  await pay(client, customer, { invoice: id, amount: 20, day: '2028-01-20' });
  successBody(await close(client, null));
  await pay(client, customer, { invoice: id, amount: 10, day: '2028-01-20' });
  expect(await actsOf(client, '?operation=reopenBooks')).toMatchObject([
    { before: { [param]: '2028-01-31' }, after: { [param]: null }, object_type: 'account' },
    { before: { [param]: '2028-02-29' }, after: { [param]: '2028-01-31' }, actor: { type: 'api_key' } },
  ]);
  // What was posted while months were closed stays where it counted then: 30 on 1 March, 20 on 1 February.
  const days = ['2028-01-20', '2028-02-01', '2028-03-01'];
  expect(await balances(client, 'receivable', days)).toEqual([90, 70, 40]);
});

test('nothing in flight is posted into a month that is closed meanwhile', async () => {
  const { client, customer } = await business('Race');
  on('2028-01-10');
  const { id } = await invoice(client, customer, 100);
  on('2028-02-05');
  const backdated = { date: seconds('2028-01-20'), due_date: seconds('2028-03-01') };
  // Both requests end with the number series of invoices, which is locked here.
  const whileLocked = async (work: () => Promise<unknown>) => {
    const em = api.em.fork();
    await em.begin();
    await em.execute('select 1 from numbering where account_id = ? for update', [client.account.id]);
    const done = work();
    await done.catch(() => undefined);
    await em.commit();
  };
  const waiters = (count: number) =>
    until(async () => (await api.em.fork().execute(LOCK_WAITS)).length === count, { what: `${count} waiters` });
  const requests: Promise<unknown>[] = [];
  await whileLocked(async () => {
    requests.push(invoice(client, customer, 50, backdated));
    await waiters(1);
    requests.push(close(client, '2028-01-31').then(successBody)); // waits for the invoice
    await waiters(2);
  });
  await Promise.all(requests.splice(0));
  expect(await balances(client, 'receivable', ['2028-01-31'])).toEqual([150]);
  on('2028-03-05');
  await whileLocked(async () => {
    const change = { books_closed_through: '2028-02-29', numbering: { invoice: { prefix: 'NEXT-' } } };
    requests.push(client.patch('/account', change).then(successBody));
    await waiters(1);
    requests.push(pay(client, customer, { invoice: id, amount: 40, day: '2028-02-20' })); // waits for the closing
    await waiters(2);
  });
  await Promise.all(requests);
  expect(await balances(client, 'receivable', ['2028-02-29', '2028-03-01'])).toEqual([150, 110]);
});

test('entries belong to general ledger accounts: by item, tax rate, method and mapping', async () => {
  const { client, customer } = await business('Mapped');
  on('2028-01-10');
  await client.make('/gl_accounts', { code: '4000', name: 'Sales', type: 'income' });
  await client.make('/gl_accounts', { code: '2200', name: 'VAT owed' });
  await client.make('/items', { id: 'hour', name: 'Hour', unit_cost: 100, gl_account: '4000' });
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 19, gl_account: '2200' });
  await client.make('/tax_rates', { id: 'city', name: 'City', value: 1 });
  await client.patch('/payment_methods/check', { gl_account: '1010' });
  const mapping = { receivable: '1200', cash: '1000', revenue: '4900', tax_payable: '2299' };
  successBody(await client.patch('/account', { gl_mapping: mapping }));
  const items = [
    { catalog_item: 'hour', taxes: ['vat'] },
    { unit_cost: 50, taxes: ['city'] },
  ];
  const { id } = await client.make('/invoices', { customer, items }); // 100 + 19 + 50 + 0.5 = 169.5
  await pay(client, customer, { invoice: id, amount: 60, day: '2028-01-11' });
  await client.make('/payments', { customer, amount: 9, method: 'cash', date: seconds('2028-01-12') });
  const path = 'trial_balance?start=2028-01-01&end=2028-01-31';
  const rows = await rowsOf(client, `${path}&by=gl_account`);
  expect(rows.map((row) => [row.gl_account, row.gl_name, row.closing])).toEqual([
    ['1000', null, 9],
    ['1010', null, 60],
    ['1200', null, 109.5], // 169.5 - 60
    ['2200', 'VAT owed', -19],
    ['2299', null, -0.5],
    ['4000', 'Sales', -100],
    ['4900', null, -50],
    [null, null, -9], // unapplied is not mapped
  ]);
  const byLedger = await rowsOf(client, path);
  expect(byLedger.map((row) => [row.ledger_account, row.gl_account, row.closing])).toEqual([
    ['cash', '1000', 9],
    ['cash', '1010', 60],
    ['receivable', '1200', 109.5],
    ['revenue', '4900', -50],
    ['revenue:4000', '4000', -100],
    ['tax_payable:city', '2299', -0.5],
    ['tax_payable:vat', '2200', -19],
    ['unapplied', null, -9],
  ]);
  for (const row of [...rows, ...byLedger]) {
    const { closing } = Object(row.hrefs);
    const { body } = await client.get(closing);
    expect([closing, body.totals[0].amount]).toEqual([closing, row.closing]);
  }
  expect(await rowsOf(client, 'journal?start=2028-01-01&end=2028-01-31&gl_account=4000')).toMatchObject([
    { ledger_account: 'revenue:4000', gl_name: 'Sales', amount: -100 },
  ]);
  expect(await client.get(`/reports/${path}&by=date`)).toMatchObject(refused({ param: 'by' }));
});

test('spellings of a code are one general ledger account, as its list spells it', async () => {
  const { client, customer } = await business('Spelled');
  on('2028-01-10');
  const items = [];
  for (const [index, gl_account] of ['4000A', '4000a', 'x-1', 'X‑1'].entries()) {
    const { id } = await client.make('/items', { name: gl_account, unit_cost: 2 ** index, gl_account });
    items.push({ catalog_item: id });
  }
  await client.make('/invoices', { customer, items });
  await client.patch('/account', { gl_mapping: { receivable: '４０００a' } }); // full-width digits
  const path = 'trial_balance?start=2028-01-01&end=2028-01-31';
  const closing = async () =>
    (await rowsOf(client, `${path}&by=gl_account`)).map((row) => [row.gl_account, row.gl_name, row.closing]);
  expect(await closing()).toEqual([
    ['4000A', null, 15 - 1 - 2],
    ['X‑1', null, -4 - 8],
  ]);
  await client.make('/gl_accounts', { code: '4000a', name: 'Sales' });
  await client.make('/gl_accounts', { code: 'X-1', name: 'Extras' });
  expect(await closing()).toEqual([
    ['4000a', 'Sales', 12],
    ['X-1', 'Extras', -12],
  ]);
  expect((await rowsOf(client, path)).map((row) => [row.ledger_account, row.gl_account, row.gl_name])).toEqual(
    [
      ['receivable', '4000a', 'Sales'],
      ['revenue:4000A', '4000a', 'Sales'],
      ['revenue:4000a', '4000a', 'Sales'],
      ['revenue:X‑1', 'X-1', 'Extras'],
      ['revenue:x-1', 'X-1', 'Extras'],
    ].sort(),
  );
  for (const code of ['4000A', '4000a']) {
    const { body } = await client.get(`/reports/journal?start=2028-01-01&end=2028-01-31&gl_account=${code}`);
    expect(body.totals).toEqual([{ currency: 'usd', amount: 12 }]);
    expect(body.rows[0]).toMatchObject({ gl_account: '4000a', gl_name: 'Sales' });
  }
  expect(await rowsOf(client, 'journal?start=2028-01-01&end=2028-01-31&gl_account=none')).toEqual([]);
});
