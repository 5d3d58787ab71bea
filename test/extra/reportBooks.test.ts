import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { oracleZone } from '../support/calendarOracle.ts';
import { play, stock, type Walk } from '../support/clockedYears.ts';
import { type Answered, type Product, startProduct } from '../support/product.ts';
import { randomOf } from '../support/random.ts';
import {
  agingThen,
  dayAt,
  deferredAt,
  documentsOf,
  endOf,
  invoicedIn,
  plainlyCredited,
  revenueMovements,
  revenueThen,
  type SeenEvent,
  summed,
  taxesIn,
  units,
} from '../support/reportOracle.ts';

/**
 * A hundred random customers over two years on test clocks. What the reports say of twenty random days equals what a program of the tests finds
 * that reads nothing but events. The seed finds a run again.
 */

const SEED = 50;
const CUSTOMERS = Number(process.env.CUSTOMERS ?? 100);
const CLOCKS = 4;
const ROUNDS = 24;
const BEGIN = '2027-01-20T12:00:00Z';
/** Half hours; a day ahead of UTC; behind it. */
const ZONES = ['America/St_Johns', 'Pacific/Auckland', 'America/Los_Angeles', 'UTC'];
const zones = ZONES.map((name) => oracleZone(name, Date.parse('2026-01-01'), Date.parse('2032-01-01')));

const random = randomOf(SEED);
let product: Product;
let events: SeenEvent[];
let last = '';
let creditsSeen = 0;
let plainSeen = 0;

beforeAll(async () => {
  product = await startProduct();
  const walkOf = (clock: number): Walk => ({ product, random: randomOf(SEED + clock), refused: new Map() });
  await stock(walkOf(0));
  const each = { begin: BEGIN, customers: CUSTOMERS / CLOCKS, rounds: ROUNDS, days: 30 };
  const clocks = await Promise.all(Array.from({ length: CLOCKS }, (_, clock) => play(walkOf(clock), each)));
  last = new Date(Math.max(...clocks.map(({ frozen_time }) => frozen_time)) * 1000).toISOString().slice(0, 10);
  await product.rows('analyze'); // the database has no statistics of what was just written, and guesses that tables are empty
  const rows = await product.rows<{ type: string; at: string; object: object }>(
    'select type, extract(epoch from occurred_at) * 1000 as at, object from event where account_id = ? order by id',
    [product.accountId],
  );
  events = rows.map(({ type, at, object }) => ({ type, at: Number(at), object }));
});
afterAll(() => product.close());

const randomDay = (): string => {
  const [from, to] = [Date.parse(BEGIN), Date.parse(last)];
  return new Date(from + random() * (to - from)).toISOString().slice(0, 10);
};
const days = Array.from({ length: 20 }, (_, n) => ({ n, zone: zones[n % zones.length] as (typeof zones)[number] }));
const report = (name: string, query: object): Promise<Answered> =>
  product.call('GET', `/reports/${name}?${new URLSearchParams(Object.entries(query))}`);

test.each(days)('aging of random day $n in $zone.name, as it was known then', async ({ zone }) => {
  const day = randomDay();
  const knownAt = endOf(zone, day) / 1000 - 1;
  const { rows } = await report('aging', { as_of: day, zone: zone.name, known_at: knownAt });
  const found = rows.flatMap(({ customer, currency, ...cells }: Answered) =>
    Object.entries(cells)
      .filter(([id]) => /^(not_due|days_|over_)/.test(id))
      .map(([id, amount]) => [`${customer} ${currency} ${id}`, units(Number(amount), currency)] as const),
  );
  expect({ day, ...summed(found) }).toEqual({ day, ...agingThen(events, { zone, day }) });
});

test.each(days)('the roll-forward until random day $n in $zone.name closes', async ({ zone }) => {
  const [first = '', end = ''] = [randomDay(), randomDay()].toSorted();
  const knownAt = endOf(zone, end) / 1000 - 1;
  const asked = { start: first, end, zone: zone.name, known_at: knownAt };
  const { rows } = await report('roll_forward', asked);
  const invoiced: [string, number][] = [];
  for (const { currency, opening, closing, ...moves } of rows) {
    const { hrefs: _, ...amounts } = moves;
    const moved = Object.values<number>(amounts).reduce((sum, amount) => sum + units(amount, currency), 0);
    expect(units(opening, currency) + moved).toBe(units(closing, currency));
    invoiced.push([currency, units(amounts.invoiced + amounts.voided, currency)]);
  }
  expect(summed(invoiced)).toEqual(invoicedIn(events, { zone, days: [first, end] }));
  const closing = Object.entries(agingThen(events, { zone, day: end })).map(
    ([key, amount]) => [key.split(' ')[1] ?? '', amount] as const,
  );
  expect(summed(rows.map((row: Answered) => [row.currency, units(row.closing, row.currency)]))).toEqual(
    summed(closing),
  );
});

test.each(days)('tax until random day $n in $zone.name is that of the documents', async ({ zone }) => {
  const [start = '', end = ''] = [randomDay(), randomDay()].toSorted();
  const { rows } = await report('tax', { start, end, zone: zone.name });
  const found = rows
    .filter(({ kind }: Answered) => kind !== 'write_off')
    .map(({ tax_rate, currency, tax }: Answered) => [`${tax_rate ?? ''} ${currency}`, units(tax, currency)] as const);
  expect({ start, end, ...summed(found) }).toEqual({ start, end, ...taxesIn(events, { zone, days: [start, end] }) });
});

test.each(days)(
  'deferred revenue of random day $n in $zone.name, of customers with plain credit notes',
  async ({ n, zone }) => {
    const notes = documentsOf(events).filter(({ sign }) => sign < 0);
    const noted = dayAt(zone, (notes[Math.floor(random() * notes.length)]?.object.date ?? 0) * 1000);
    const day = n % 2 === 0 ? randomDay() : noted;
    const customers = plainlyCredited(events, { zone, day });
    const { rows } = await report('deferred_revenue', { start: day, end: day, zone: zone.name, detail: 'customer' });
    const found = rows
      .filter(({ customer }: Answered) => customers.has(customer))
      .map(
        ({ customer, currency, closing }: Answered) => [`${customer} ${currency}`, units(closing, currency)] as const,
      );
    const { sums, credited } = deferredAt(events, { zone, day });
    const isPlain = (key: string) => customers.has(Number(key.split(' ')[0]));
    const expected = Object.entries(sums).filter(([key]) => isPlain(key));
    creditsSeen += [...credited].filter(isPlain).length;
    plainSeen += customers.size;
    expect({ day, ...summed(found) }).toEqual({ day, ...Object.fromEntries(expected) });
  },
);

test('credit notes took revenue that was deferred', () => {
  expect(plainSeen).toBeGreaterThan((days.length * CUSTOMERS) / 4);
  expect(creditsSeen).toBeGreaterThan(0);
});

/** Movements of rows of `mrr`, by their period, currency and kind. */
const movedIn = (rows: Answered[], periodOf: (day: string) => string) =>
  summed(
    rows.flatMap(({ period, currency, ...kinds }) =>
      ['new', 'reactivation', 'expansion', 'contraction', 'churn'].map(
        (kind) => [`${periodOf(period)} ${currency} ${kind}`, units(kinds[kind], currency)] as const,
      ),
    ),
  );

test.each(zones)('recurring revenue moves in each month as the events say, in $name', async (zone) => {
  const { rows } = await report('mrr', { start: '2027-01-01', end: last, zone: zone.name, group: 'month' });
  expect(movedIn(rows, (day) => day.slice(0, 7))).toEqual(revenueMovements(events, zone, 'month'));
});

test.each(days)('recurring revenue of each day until random day $n in $zone.name', async ({ zone }) => {
  const [start = '', day = ''] = [randomDay(), randomDay()].toSorted();
  const { rows } = await report('mrr', { start, end: day, zone: zone.name, group: 'day' });
  const closing = rows.filter(({ period }: Answered) => period === day);
  const then = summed(closing.map(({ currency, end }: Answered) => [currency, units(end, currency)]));
  expect({ day, ...then }).toEqual({ day, ...revenueThen(events, { zone, day }) });
  const expected = Object.entries(revenueMovements(events, zone, 'day')).filter(
    ([key]) => key.slice(0, 10) >= start && key.slice(0, 10) <= day,
  );
  expect(movedIn(rows, (period) => period)).toEqual(Object.fromEntries(expected));
});

/** Reports over all years, with the numbers that lead to rows. */
const leading = [
  ['aging', 'roll_forward', 'dso', 'cash_received', 'promises', 'recovery'],
  ['mrr', 'customers', 'churn', 'cohorts', 'sales', 'tax', 'deferred_revenue', 'trial_balance'],
].flat();

test.each(leading)('each number of %s is the sum of the rows to which it leads', async (name) => {
  const span = name === 'aging' ? { as_of: last } : { start: '2027-01-01', end: last };
  const { rows, columns } = await report(name, { ...span, zone: 'America/St_Johns' });
  const types = new Map(columns.map(({ id, type }: Answered) => [id, type]));
  const numbers = rows.flatMap((row: Answered) =>
    Object.entries<string>(row.hrefs)
      .filter(([id, path]) => ['money', 'integer'].includes(String(types.get(id))) && path.startsWith('/reports/'))
      .map(([id, path]) => ({ id, path, currency: row.currency, value: row[id], isMoney: types.get(id) === 'money' })),
  );
  const chosen = numbers.filter(() => random() < 60 / Math.max(60, numbers.length));
  if (!['promises', 'recovery'].includes(name)) expect(chosen.length).toBeGreaterThan(2);
  for (const { id, path, currency, value, isMoney } of chosen) {
    const target = await product.call<Answered>('GET', path);
    const found = isMoney
      ? target.rows.reduce((sum: number, row: Answered) => sum + units(partOf(id, row), currency), 0)
      : target.rows.length;
    expect([path, id, found]).toEqual([path, id, isMoney ? units(value, currency) : value]);
  }
});

/** What a row adds to a number: the same column of it, or its amount. Credits of the books are shown positive. */
function partOf(id: string, row: Answered): number {
  if ('ledger_account' in row) return id === 'credits' ? -row.amount : row.amount;
  if (id === 'credits') return row.total;
  return row[id] ?? row.amount;
}

test('the audit finds no difference', async () => {
  expect(await product.audit()).toEqual([]);
});
