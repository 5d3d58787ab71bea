import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, linkOf, refused, startApi, type TestApi } from '../../support/api.ts';

const DAY = 86_400;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});

const now = () => Math.floor(Date.now() / 1000);
const customer = async (name: string, over: object = {}): Promise<number> =>
  (await api.sandbox.make('/customers', { name, ...over })).id;
/** Issues an invoice and takes the steps that are due, of which one marks it past due. */
async function owe(id: number, unit_cost: number, over: object = {}): Promise<Answer['body']> {
  const made = await api.sandbox.make('/invoices', { customer: id, items: [{ unit_cost }], ...over });
  const key = { accountId: api.sandbox.account.id, id: made.id, lookUpDelay: 60_000 };
  if (made.due_date !== null && made.due_date < now())
    await inTransaction(api.em, (em) => advanceInvoice(em, key, new Date()));
  return made;
}
const late = (days: number) => ({ due_date: now() - days * DAY });
const balancesOf = async (id: number) => (await api.sandbox.get(`/customers/${id}?include=balances`)).body.balances;
const names = ({ body }: Answer) => body.map(({ name }: { name: string }) => name);

test('the balances of a customer follow its invoices, by currency', async () => {
  const id = await customer('Ada');
  expect(await balancesOf(id)).toEqual([]);
  const [first, second] = [await owe(id, 100, late(40)), await owe(id, 50, { due_date: now() + 9 * DAY })];
  await owe(id, 7, { currency: 'eur', autopay: true });
  await owe(id, 900, { draft: true });
  const dollars = { currency: 'usd', balance: 150, overdue: 100, oldest_due_date: first.due_date, days_overdue: 40 };
  const euros = { currency: 'eur', balance: 7, overdue: 0, oldest_due_date: null, days_overdue: 0 };
  expect(await balancesOf(id)).toEqual([euros, dollars]);
  await api.sandbox.make('/payments', {
    customer: id,
    amount: 130,
    applied_to: [
      { type: 'invoice', invoice: first.id, amount: 100 },
      { type: 'invoice', invoice: second.id, amount: 30 },
    ],
  });
  const left = { ...dollars, balance: 20, overdue: 0, oldest_due_date: second.due_date, days_overdue: 0 };
  expect(await balancesOf(id)).toEqual([euros, left]);
  const other = await customer('Ada, too');
  await owe(other, 1, late(3));
  await api.sandbox.post(`/customers/${other}/merge`, { customer: id });
  expect([await balancesOf(id), await balancesOf(other)]).toMatchObject([[], [euros, { balance: 21, overdue: 1 }]]);
  await api.sandbox.patch(`/invoices/${second.id}`, { closed: true });
  expect((await balancesOf(other))[1]).toMatchObject({ balance: 1, overdue: 1, days_overdue: 3 });
});

test('customers are sorted and filtered by what they owe in a currency; those that owe nothing come last', async () => {
  const owing = { small: [5, 1], large: [900, 0], middle: [60, 20] } as const;
  for (const [name, [amount, days]] of Object.entries(owing)) {
    const id = await customer(name, { number: `B-${name}` });
    await owe(id, amount, { currency: 'gbp', ...(days > 0 ? late(days) : { autopay: true }) });
  }
  await customer('none', { number: 'B-none' });
  const list = async (query: string) => names(await api.sandbox.get(`/customers?currency=gbp&${query}`));
  const of = async (query: string) =>
    (await list(query)).filter((name: string) => name === 'none' || Object.hasOwn(owing, name));
  expect(await of('sort=balance desc')).toEqual(['large', 'middle', 'small', 'none']);
  expect(await of('sort=balance')).toEqual(['small', 'middle', 'large', 'none']);
  expect(await of('sort=overdue desc')).toEqual(['middle', 'small', 'large', 'none']);
  expect(await of('sort=oldest_due_date')).toEqual(['middle', 'small', 'large', 'none']);
  expect(await list('filter[overdue][gt]=0&sort=overdue')).toEqual(['small', 'middle']);
  expect(await list('filter[balance][gte]=60&filter[balance][lt]=900')).toEqual(['middle']);
  expect(await list('filter[oldest_due_date][empty]=true&filter[balance][empty]=false')).toEqual(['large']);
  expect(names(await api.sandbox.get('/customers?sort=balance&filter[balance][gte]=60'))).toEqual([]);
  const csv = await api.sandbox.get(
    '/customers?currency=gbp&filter[balance][gt]=0&sort=balance&format=csv&include=balances&columns=' +
      'name,balances.gbp.balance,balances.gbp.overdue,balances.gbp.oldest_due_date',
  );
  const lines = String(csv.body).trim().split(/\r?\n/);
  expect(lines[0]).toBe('name,balances.gbp.balance,balances.gbp.overdue,balances.gbp.oldest_due_date');
  const day = /\d{4}-\d\d-\d\dT[\d:.]+Z/;
  expect(lines.slice(1).map((line) => line.replace(day, 'day'))).toEqual([
    'small,5,5,day',
    'middle,60,60,day',
    'large,900,0,',
  ]);
  const everyCurrency = '/customers?filter[number]=B-large&format=csv&include=balances&columns=name,balances.*.balance';
  expect(
    String((await api.sandbox.get(everyCurrency)).body)
      .split(/\r?\n/)
      .slice(0, 2),
  ).toEqual(['name,balances.usd.balance,balances.eur.balance,balances.gbp.balance', 'large,,,900']);
  expect(await api.sandbox.get('/customers?currency=pounds&sort=balance')).toMatchObject(
    refused({ param: 'currency' }),
  );
});

test('pages by what customers owe have each of them once, in both directions', async () => {
  for (const name of ['x', 'y', 'z']) await owe(await customer(name), 5, { currency: 'chf' });
  const all = names(await api.sandbox.get('/customers?currency=chf&sort=balance desc'));
  const seen = [];
  const back = [];
  let at: string | undefined = '/customers?currency=chf&sort=balance desc&per_page=2';
  let last = at;
  while (at) {
    const page: Answer = await api.sandbox.get(at);
    seen.push(...names(page));
    last = at;
    at = linkOf(page, 'next');
  }
  expect(seen).toEqual(all);
  at = last;
  while (at) {
    const page: Answer = await api.sandbox.get(at);
    back.unshift(...names(page));
    at = linkOf(page, 'previous');
  }
  expect(back).toEqual(all);
});
