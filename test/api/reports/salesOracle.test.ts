import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';
import { randomOf } from '../../support/random.ts';

/**
 * Random documents. Over random days and zones, as known at random times, sales and deferred revenue of each account are its revenue in the trial
 * balance, tax of each rate is its tax payable. Deferred revenue is compared with a program of this test that goes from day to day without rounding.
 */

let api: TestApi;
let now = Date.parse('2027-01-01T12:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles'];
const CODES = [null, '4000', '4100'];

interface Step {
  client: Client;
  customers: number[];
  random: () => number;
}

const pickOf =
  (random: () => number) =>
  <Value>(of: readonly Value[]): Value => {
    const one = of[Math.floor(random() * of.length)];
    if (one === undefined) throw new Error('nothing to pick');
    return one;
  };
const seconds = (at: number) => Math.floor(at / 1000);

test.each([11, 12])('sales, tax and deferred revenue are those of the ledger, seed %i', async (seed) => {
  const { sandbox: client } = await api.open(`Random sales ${seed}`);
  const random = randomOf(seed);
  const pick = pickOf(random);
  successBody(await client.patch('/account', { bad_debt_tax: 'take_back', late_fee_document: 'line' }));
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await client.make('/tax_rates', { id: 'gst', name: 'GST', value: 7.7, inclusive: true });
  await client.make('/coupons', { id: 'eighth', name: 'Eighth', value: 12.5 });
  await client.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  for (const code of CODES) await client.make('/items', { id: `item-${code}`, name: `Item ${code}`, gl_account: code });
  const customers: number[] = [];
  for (const payment_terms of ['NET 10', '2% 10 NET 30', 'NET 60'])
    customers.push((await client.make('/customers', { name: payment_terms, payment_terms, country: 'US' })).id);
  const begin = now;
  for (let step = 0; step < 70; step++) {
    now += Math.floor(random() * 40) * HOUR;
    await act({ client, customers, random });
  }
  const midnight = (at: number) => new Date(Math.floor(at / DAY) * DAY).toISOString().slice(0, 10);
  for (let n = 0; n < 12; n++) {
    const from = begin - 20 * DAY + random() * (now - begin + 20 * DAY);
    const days = `start=${midnight(from)}&end=${midnight(from + random() * 60 * DAY)}&zone=${pick(ZONES)}`;
    const known = random() < 0.3 ? `&known_at=${seconds(begin + random() * (now - begin))}` : '';
    const detail = random() < 0.5 ? '&detail=customer' : '&group=month';
    const asked = `${days}${known}`;
    const ledger = await ledgerOf(client, asked);
    const sales = await rowsOf(client, `sales?${asked}${detail}`);
    const deferred = await rowsOf(client, `deferred_revenue?${asked}${detail}`);
    const tax = await rowsOf(client, `tax?${asked}${detail === '&group=month' ? detail : '&detail=document'}`);
    const revenue = (row: Row) => `revenue${row.gl_account === null ? '' : `:${row.gl_account}`}`;
    expect([asked, sumsBy(sales, revenue, ({ total }) => total)]).toEqual([asked, ledger('revenue')]);
    const posted = ({ billed, credited }: Row) => cents(billed) - cents(credited);
    expect([asked, sumsBy(deferred, revenue, (row) => posted(row) / 100)]).toEqual([asked, ledger('revenue')]);
    const rate = ({ tax_rate }: Row) => `tax_payable${tax_rate === null ? '' : `:${tax_rate}`}`;
    expect([asked, sumsBy(tax, rate, (row) => row.tax)]).toEqual([asked, ledger('tax_payable')]);
    for (const row of deferred) {
      expect(row.opening).toBeGreaterThanOrEqual(0);
      expect(row.closing).toBeGreaterThanOrEqual(0);
      expect(cents(row.closing)).toBe(cents(row.opening) + posted(row) - cents(row.recognized));
    }
  }
  for (let n = 0; n < 8; n++) {
    const day = midnight(begin + random() * (now - begin + 30 * DAY));
    await compareDeferred(client, day);
  }
  expect(await rowsOf(client, 'deferred_revenue?start=2031-01-01&end=2031-01-31')).toEqual([]);
});

/** One act of somebody. Refused acts change nothing. */
async function act({ client, customers, random }: Step): Promise<void> {
  const pick = pickOf(random);
  const { body: invoices } = await client.get('/invoices?per_page=100&filter[status]=not_sent');
  const dice = random();
  const amount = (most: number) => Math.max(0.01, Math.floor(random() * most * 100) / 100);
  const date = seconds(now + Math.floor(random() * 30 - 25) * DAY);
  if (dice < 0.5 || invoices.length === 0) {
    const from = now + Math.floor(random() * 80 - 40) * DAY;
    const until = from + Math.floor(1 + random() * 90) * DAY;
    const period = { period_start: seconds(from), period_end: seconds(until) };
    const line = (index: number) => ({
      catalog_item: `item-${pick(CODES)}`,
      name: `Line ${index}`,
      quantity: Math.ceil(random() * 3),
      unit_cost: amount(200),
    });
    const further = () => ({
      taxable: random() < 0.8,
      ...(random() < 0.6 ? period : {}),
      ...(random() < 0.3 ? { discounts: [{ amount: amount(5) }] } : {}),
      ...(random() < 0.2 ? { taxes: ['vat'] } : {}),
    });
    const isPlain = random() < 0.4;
    const count = Math.ceil(random() * 3);
    const lines = Array.from({ length: count }, (_, index) => ({ ...line(index), ...further() }));
    await client.post('/invoices', {
      customer: pick(customers),
      date,
      ...(isPlain
        ? { items: [{ ...line(0), ...period }] }
        : {
            items: lines,
            taxes: [[], ['vat'], ['gst'], ['vat', 'gst'], [{ amount: 1.5 }]][Math.floor(random() * 5)],
            ...(random() < 0.3 ? { discounts: ['eighth', { amount: 3 }] } : {}),
            ...(random() < 0.15 ? { ship_to: { name: 'Shop', country: 'CA', state: 'ON' } } : {}),
          }),
    });
    return;
  }
  const invoice = pick<{ id: number; customer: number; total: number; items: { name: string }[]; taxes: object[] }>(
    invoices,
  );
  if (dice < 0.68)
    await client.post('/credit_notes', {
      customer: invoice.customer,
      invoice: invoice.id,
      date: seconds(now - Math.floor(random() * 5) * DAY),
      items: [
        { name: pick(invoice.items).name, unit_cost: amount(invoice.total / 2), catalog_item: `item-${pick(CODES)}` },
      ],
      taxes: random() < 0.5 ? ['vat'] : [],
    });
  else if (dice < 0.74) await client.post(`/invoices/${invoice.id}/void`);
  else if (dice < 0.8) await client.patch(`/invoices/${invoice.id}`, { date });
  else if (dice < 0.86) await client.patch(`/invoices/${invoice.id}`, { closed: true });
  else if (dice < 0.9)
    await client.patch(`/invoices/${invoice.id}`, { items: [{ name: 'Else', unit_cost: amount(90) }] });
  else {
    const accountId = client.account.id;
    const key = { accountId, id: invoice.id, lookUpDelay: 60_000 };
    const one = () => inTransaction(api.deps.em, (em) => advanceInvoice(em, key, new Date(now)));
    await withAccount(accountId, one);
  }
}

interface Row {
  [cell: string]: unknown;
  gl_account: string | null;
  tax_rate: string | null;
  total: number;
  tax: number;
  opening: number;
  billed: number;
  credited: number;
  recognized: number;
  closing: number;
}

const rowsOf = async (client: Client, path: string): Promise<Row[]> =>
  successBody(await client.get(`/reports/${path}`)).rows;
const cents = (amount: number) => Math.round(amount * 100);

/** Sums by a key, without those of zero, in order. */
function sumsBy(rows: readonly Row[], keyOf: (row: Row) => string, amountOf: (row: Row) => number): [string, number][] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + cents(amountOf(row)));
  return [...sums].filter(([, sum]) => sum !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** What the trial balance has of the accounts that begin with a name, credit positive. */
async function ledgerOf(client: Client, asked: string) {
  const { rows } = successBody(await client.get(`/reports/trial_balance?${asked}`));
  return (name: string) =>
    sumsBy(
      rows.filter((row: Row) => String(row.ledger_account).split(':')[0] === name),
      (row) => String(row.ledger_account),
      (row) => (cents(Number(row.credits)) - cents(Number(row.debits))) / 100,
    );
}

interface Line {
  name: string;
  amount: number;
  type: string | null;
  period_start?: number;
  period_end?: number;
}

/**
 * What is deferred of each invoice at the end of a day, in UTC, of invoices with one line without discounts and taxes: from day to day, exactly.
 * The report is rounded by half a cent at most, and once more for each credit.
 */
async function compareDeferred(client: Client, day: string): Promise<void> {
  const rows = await rowsOf(client, `deferred_revenue?start=${day}&end=${day}&zone=UTC&detail=line`);
  const { body: invoices } = await client.get('/invoices?per_page=100');
  const { body: notes } = await client.get('/credit_notes?per_page=100');
  const until = Date.parse(`${day}T00:00:00Z`) / DAY;
  const dayOf = (at: number) => Math.floor((at * 1000) / DAY);
  for (const invoice of invoices) {
    const { id, items, discounts, taxes, status, total, date, created_at } = invoice;
    const [line]: Line[] = items;
    const isPlain = items.length === 1 && line && line.type === null && line.amount === total && taxes.length === 0;
    if (!isPlain || !line || discounts.length > 0 || status === 'voided' || status === 'draft') continue;
    const from = line.period_start ? dayOf(line.period_start) : null;
    const end = line.period_end ? dayOf(line.period_end) : null;
    const billedOn = dayOf(Math.min(date, created_at));
    let [left, done] = [0, 0];
    const credits = notes.filter((note: Row) => note.invoice === id && note.status !== 'voided');
    for (let at = billedOn - 30; at <= until; at++) {
      const credited = credits
        .filter((note: { date: number; created_at: number }) => dayOf(Math.min(note.date, note.created_at)) === at)
        .reduce((sum: number, note: { subtotal: number }) => sum + note.subtotal, 0);
      if (at < billedOn) done -= credited;
      if (at < billedOn) continue;
      if (at === billedOn) left = total + done;
      // What was served before the bill is earned on its day.
      const first = from ?? at;
      const last = (end ?? at + 1) - 1;
      if (at >= last) left = 0;
      else if (at >= first)
        left -= (left * (at === billedOn ? at - first + 1 : 1)) / (last - (at === billedOn ? first : at) + 1);
      left = Math.max(0, left - credited);
    }
    const found = rows.find((row) => row.invoice === id)?.closing ?? 0;
    const most = 0.005 * (credits.length + 1) + 1e-6;
    if (Math.abs(found - left) > most) throw new Error(`invoice ${id} on ${day}: ${found}, not ${left}`);
  }
}
