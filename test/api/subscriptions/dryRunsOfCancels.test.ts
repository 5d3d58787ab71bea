import { expect, test } from '@jest/globals';
import type { Answer } from '../../support/api.ts';
import { creditNoteWithoutIdentity, storedRows, withoutIdentity } from '../../support/dryRuns.ts';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, HALF, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Dry runs of cancellations that credit or bill: they return the documents that the cancellation then makes. */

const gold = goldSubscriptions(async ({ make }) => {
  await make('/coupons', { id: 'two', name: 'Two bills', value: 20, is_percent: true, duration: 2 });
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
});
const { begin, customer } = customerOfEachTest(gold);

interface Cancel {
  what: string;
  query: string;
  /** Fields of the subscription, which begins on 1 March. */
  body?: object;
  /** A change before it, at the time of the cancellation. */
  change?: object;
  at: number;
  /** Amounts of the lines of each invoice, and of each credit note. */
  invoices: number[][];
  notes: number[][];
}

const cancels: Cancel[] = [
  {
    what: 'credits the rest of a period',
    query: 'prorate=true',
    at: HALF,
    invoices: [[-5, 5]], // 10.00 x 1/2, carried to the credit note
    notes: [[5]],
  },
  {
    what: 'credits the rest of a period after a change, net of discounts and with taxes',
    query: 'prorate=true',
    body: { discounts: ['two'], taxes: ['vat'] },
    change: { quantity: 3 },
    at: HALF,
    invoices: [[-4, 12, -12, 4.76]], // 10.00 less 20 %, and 30.00 less 20 %, x 1/2; 4.00 with 19 % is carried
    notes: [[4.76]],
  },
  {
    what: 'credits the rest of a period and takes back the bill of the next one',
    query: 'prorate=true',
    body: { bill_in_advance_days: 20 }, // the bill of April is of 12 March
    at: HALF,
    invoices: [[-5, 5]],
    notes: [[5]],
  },
  {
    what: 'bills the remaining periods of the contract',
    query: 'bill_remaining=true',
    body: { cycles: 4, discounts: ['two'], taxes: ['vat'] },
    at: HALF,
    invoices: [[8, 20]], // 10.00 less 20 %, for the second bill of the coupon; 2 x 10.00
    notes: [],
  },
  {
    what: 'bills the period in progress and the remaining ones in arrears',
    query: 'bill_remaining=true',
    body: { cycles: 3, bill_in: 'arrears', discounts: ['two'] },
    at: HALF,
    invoices: [[10], [8, 10]], // March, less 20 % on the invoice; April less 20 %; May
    notes: [],
  },
  {
    what: 'bills the due periods before the remaining ones',
    query: 'bill_remaining=true',
    body: { cycles: 4 },
    at: MAY + 60,
    invoices: [[10], [10], [10]], // April, May; June
    notes: [],
  },
];

const documentsOf = async (kind: 'invoices' | 'credit_notes'): Promise<Answer['body'][]> =>
  (await gold.api.sandbox.get(`/${kind}?filter[customer]=${customer()}&sort=id asc`)).body;

const amountsIn = (documents: Answer['body'][]) =>
  documents.map(({ items }) => items.map(({ amount }: { amount: number }) => amount));

test.each(cancels)('a dry run of a cancellation that $what returns its documents line by line', async (one) => {
  const id = await begin(one.body);
  if (one.at < APRIL) await gold.advanceTo(id, one.at);
  gold.moveTo(one.at);
  if (one.change) await gold.change(id, one.change);
  const [invoicesBefore, notesBefore] = [await documentsOf('invoices'), await documentsOf('credit_notes')];
  const [rows, pokes] = [await storedRows(gold.api.em), gold.api.pokes()];
  const dry = await gold.cancel(id, `?${one.query}&dry_run=12`);
  expect([dry.status, await storedRows(gold.api.em), gold.api.pokes()]).toEqual([200, rows, pokes]);

  const real = await gold.cancel(id, `?${one.query}`);
  expect(real).toMatchObject({ status: 200, body: { status: 'canceled', canceled_at: one.at } });
  expect(dry.body.subscription).toEqual(real.body);
  const invoices = (await documentsOf('invoices')).slice(invoicesBefore.length);
  const notes = (await documentsOf('credit_notes')).slice(notesBefore.length);
  expect([amountsIn(invoices), amountsIn(notes)]).toEqual([one.invoices, one.notes]);
  expect(dry.body.invoices.map(withoutIdentity)).toEqual(invoices.map(withoutIdentity));
  const told = notes.map((note) => creditNoteWithoutIdentity(note, invoicesBefore));
  expect(dry.body.credit_notes.map(withoutIdentity)).toEqual(told);
});

test('a dry run of a cancellation returns the credit of a bill ahead that has other lines', async () => {
  const id = await begin({ bill_in_advance_days: 20 });
  await gold.api.sandbox.make(`/customers/${customer()}/line_items`, { name: 'Setup', unit_cost: 7 });
  await gold.advanceTo(id, day(3, 20)); // the bill of April, of 12 March: 10.00 + 7.00
  const [, ahead] = await documentsOf('invoices');
  const rows = await storedRows(gold.api.em);
  const dry = await gold.cancel(id, '?dry_run=1');
  expect(await storedRows(gold.api.em)).toEqual(rows);
  expect(dry.body).toMatchObject({ invoices: [], credit_notes: [{ invoice: ahead.id, total: 10, number: null }] });
  await gold.cancel(id);
  expect(dry.body.credit_notes.map(withoutIdentity)).toEqual((await documentsOf('credit_notes')).map(withoutIdentity));
});

test.each(['prorate=true&bill_remaining=true', 'bill_remaining=true', 'prorate=maybe'])(
  'a dry run refuses a cancellation with %s as the request does',
  async (query) => {
    const id = await begin();
    const real = await gold.cancel(id, `?${query}`);
    expect(real.status).toBe(400);
    expect(await gold.cancel(id, `?${query}&dry_run=1`)).toEqual({ ...real, headers: expect.anything() });
    expect(await gold.read(id)).toMatchObject({ status: 'active', period_start: MARCH });
  },
);
