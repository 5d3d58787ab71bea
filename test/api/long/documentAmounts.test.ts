import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DiscountTerm, Priced, TaxTerm } from '../../../billing/documents/totals.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { decimals } from '../../support/pricedDocuments.ts';
import { decimalsOf, oracleTotals } from '../../support/totalsOracle.ts';

// Random documents through the API, with coupons and tax rates of the catalog, compared with the oracle's exact fractions.

const CURRENCIES = ['usd', 'jpy', 'kwd', 'clf'];
const PERCENTAGES = ['0.0000001', '7.5', '10', '33.3333333333', '100'];
const RATES = ['0', '0.0000001', '5', '8.875', '20'];

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = await make('/customers', { name: 'Buyer' });
  for (const value of PERCENTAGES) await make('/coupons', { id: `c${code(value)}`, name: value, value: Number(value) });
  for (const value of RATES) {
    const rate = { name: value, value: Number(value) };
    await make('/tax_rates', { ...rate, id: `t${code(value)}` });
    await make('/tax_rates', { ...rate, id: `t${code(value)}-within`, inclusive: true });
  }
  for (const currency of CURRENCIES) {
    const flat = { name: 'Flat', value: 3, is_percent: false, currency };
    await make('/coupons', { ...flat, id: `flat-${currency}` });
    await make('/tax_rates', { ...flat, id: `flat-${currency}` });
    await make('/tax_rates', { ...flat, id: `flat-${currency}-within`, inclusive: true });
  }
});
afterAll(() => api.close());

const make = async (path: string, body: object): Promise<number> => (await api.sandbox.make(path, body)).id;

const code = (value: string) => value.replace('.', '_');

/** A term for the oracle, and its form in a request. */
type Asked<Term> = { term: Term; request: unknown };

function discounts(currency: string): fc.Arbitrary<Asked<DiscountTerm>[]> {
  const percentage = fc.constantFrom(...PERCENTAGES).map((value) => {
    return { term: { value, isPercent: true }, request: `c${code(value)}` };
  });
  const flat = fc.constant({ term: { value: '3', isPercent: false }, request: { coupon: `flat-${currency}` } });
  const fixed = decimals({ min: 0, max: 500, decimals: 0 }).map((value) => {
    return { term: { value: Number(value).toString(), isPercent: false }, request: { amount: Number(value) } };
  });
  return unique(
    fc.oneof(
      percentage,
      flat,
      fixed.filter(({ term }) => hasUnits(term.value, currency)),
    ),
  );
}

function taxes(currency: string, place: string): fc.Arbitrary<Asked<TaxTerm>[]> {
  const rate = fc.tuple(fc.constantFrom(...RATES, 'flat'), fc.boolean()).map(([value, inclusive]) => {
    const isPercent = value !== 'flat';
    const key = `${isPercent ? `t${code(value)}` : `flat-${currency}`}${inclusive ? '-within' : ''}`;
    return { term: { key, value: isPercent ? value : '3', isPercent, inclusive }, request: key };
  });
  const fixed = fc.nat({ max: 500 }).map((amount) => {
    const term = { key: `${place} ${amount}`, value: `${amount}`, isPercent: false, inclusive: false };
    return { term, request: { amount } };
  });
  return unique(fc.oneof({ weight: 4, arbitrary: rate }, { weight: 1, arbitrary: fixed }));
}

const unique = <Term>(one: fc.Arbitrary<Asked<Term>>) =>
  fc.uniqueArray(one, { maxLength: 3, selector: ({ request }) => JSON.stringify(request) });

const hasUnits = (value: string, currency: string) => (value.split('.')[1] ?? '').length <= decimalsOf(currency);

/** A random document for the oracle, and the body of its request. */
const documents = fc.constantFrom(...CURRENCIES).chain((currency) => {
  const line = fc
    .record({
      quantity: decimals({ min: 0, max: 100, decimals: 3 }),
      unitCost: fc.oneof(decimals({ min: 0, max: 1000, decimals: 4 }), decimals({ min: -100, max: 0, decimals: 2 })),
      discountable: fc.boolean(),
      taxable: fc.boolean(),
      discounts: discounts(currency),
      taxes: fc.nat().chain((place) => taxes(currency, `line ${place}`)),
    })
    .map((asked) => ({ ...asked, quantity: `${Number(asked.quantity)}`, unitCost: `${Number(asked.unitCost)}` }));
  const content = {
    lines: fc.array(line, { maxLength: 6 }),
    discounts: discounts(currency),
    taxes: taxes(currency, ''),
  };
  return fc.record(content).map((asked) => ({
    priced: {
      currency,
      lines: asked.lines.map((one) => ({ ...one, discounts: termsOf(one.discounts), taxes: termsOf(one.taxes) })),
      discounts: termsOf(asked.discounts),
      taxes: termsOf(asked.taxes),
    } satisfies Priced,
    body: {
      currency,
      items: asked.lines.map(({ quantity, unitCost, discountable, taxable, ...one }) => ({
        quantity: Number(quantity),
        unit_cost: Number(unitCost),
        discountable,
        taxable,
        discounts: requestsOf(one.discounts),
        taxes: requestsOf(one.taxes),
      })),
      discounts: requestsOf(asked.discounts),
      taxes: requestsOf(asked.taxes),
    },
  }));
});

const termsOf = <Term>(asked: Asked<Term>[]) => asked.map(({ term }) => term);
const requestsOf = (asked: Asked<unknown>[]) => asked.map(({ request }) => request);

const amounts = (all: { amount: number }[]) => all.map(({ amount }) => amount);

/** Sends a document back: a PATCH changes nothing but the notes, and a POST creates one with the same amounts. */
async function sendBack(document: Record<string, unknown>): Promise<void> {
  const changed = await api.sandbox.patch(`/invoices/${document.id}`, { ...document, notes: 'Thanks' });
  expect([changed.status, changed.body.message]).toEqual([200, undefined]);
  expect(changed.body).toEqual({ ...document, notes: 'Thanks', updated_at: changed.body.updated_at });
  const copy = await api.sandbox.post('/invoices', { ...document, number: null });
  expect([copy.status, copy.body.message]).toEqual([201, undefined]);
  expect(amountsOf(copy.body)).toEqual(amountsOf(document));
}

/** All amounts in a document, with their paths. */
function amountsOf(part: unknown, path = ''): [string, number][] {
  if (typeof part !== 'object' || part === null) return /amount|total/.test(path) ? [[path, Number(part)]] : [];
  return Object.entries(part).flatMap(([name, value]) => amountsOf(value, `${path}.${name}`));
}

test('amounts of documents equal exact fractions, for any coupons and rates', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async ({ priced, body }) => {
      const expected = oracleTotals(priced);
      fc.pre(expected.total >= 0n);
      const answer = await api.sandbox.post('/invoices', { customer, ...body });
      expect([answer.status, answer.body.message]).toEqual([201, undefined]);
      const { subtotal, total, items } = answer.body;
      const money = (units: bigint) => Number(`${units}e-${decimalsOf(priced.currency)}`);
      expect({ subtotal, total }).toEqual({ subtotal: money(expected.subtotal), total: money(expected.total) });
      expect(amounts(answer.body.discounts)).toEqual(expected.discounts.map(money));
      expect(amounts(answer.body.taxes)).toEqual(expected.taxes.map(money));
      const lines = items.map((line: { amount: number; discounts: never[]; taxes: never[] }) => ({
        amount: line.amount,
        discounts: amounts(line.discounts),
        taxes: amounts(line.taxes),
      }));
      expect(lines).toEqual(
        expected.lines.map((line) => ({
          amount: money(line.amount),
          discounts: line.discounts.map(money),
          taxes: line.taxes.map(money),
        })),
      );
      await sendBack(answer.body);
    }),
    { seed: 20270301, numRuns: 100 },
  );
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
