import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { visitPage } from '../../support/payPage.ts';
import { textOf } from '../../support/sourcePage.ts';

/** A seller in Germany, whose buyers in France owe the tax themselves if they are companies with a VAT number. */

const NOTE = 'Reverse charge: the recipient of the supply owes the tax.';
let api: TestApi;
let rule: number;

beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  successBody(await sandbox.patch('/account', { country: 'DE', currency: 'eur', tax_id: 'DE123456789' }));
  await sandbox.make('/tax_rates', { id: 'vat-19', name: 'VAT', value: 19 });
  await sandbox.make('/tax_rules', { tax_rate: 'vat-19', country: 'DE' });
  const french = await sandbox.make('/tax_rules', { tax_rate: 'vat-19', country: 'FR', reverse_charge: true });
  expect(french).toMatchObject({ country: 'FR', reverse_charge: true });
  rule = french.id;
  await sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 100, interval: 'month' });
});
afterAll(() => api.close());

const french = { name: 'Dupont', type: 'company', country: 'FR', tax_id: 'FR 12 345678901', language: 'en' };

const buyer = async (more: object): Promise<number> =>
  (await api.sandbox.make('/customers', { ...french, ...more })).id;
const sell = async (customer: number, more: object = {}) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'Hours', quantity: 2, unit_cost: 50 }], ...more });

/** The total of a document, its rates as "19", or "0 reversed", and whether its page has the note. */
async function shown({ total, taxes, url }: { total: number; taxes: { tax_rate: Rate }[]; url: string }) {
  const rates = taxes.map(({ tax_rate: { value, reverse_charge } }) => `${value}${reverse_charge ? ' reversed' : ''}`);
  return { total, rates, note: textOf(await visitPage(api, url)).includes(NOTE) };
}

interface Rate {
  value: number;
  reverse_charge?: boolean;
}

const REVERSED = { total: 100, rates: ['0 reversed'], note: true };
const TAXED = { total: 119, rates: ['19'], note: false }; // 100 + 19 %

test.each([
  ['a company in France with a VAT number', {}, REVERSED],
  ['a person in France', { type: 'person' }, TAXED],
  ['a company in France without a VAT number', { tax_id: null }, TAXED],
  ['a company in France with a number that is no French VAT number', { tax_id: '123' }, TAXED],
  ['a company in Germany', { country: 'DE', tax_id: 'DE987654321' }, TAXED],
  ['a company in France with a German VAT number', { tax_id: 'DE987654321' }, TAXED],
])('%s', async (_, more, expected) => {
  const customer = await buyer(more);
  expect(await shown(await sell(customer))).toEqual(expected);
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold' });
  await inTransaction(api.em, (em) => advanceSubscription(em, { accountId: api.sandbox.account.id, id }, new Date()));
  const [bill] = successBody(await api.sandbox.get(`/invoices?filter[subscription]=${id}`));
  expect(await shown(bill)).toEqual(expected);
});

test('goods that stay in the country of the seller are taxed there', async () => {
  const { sandbox } = api;
  successBody(await sandbox.patch(`/tax_rules/${rule}`, { country: null })); // reverse charge in any country
  const customer = await buyer({});
  expect(await shown(await sell(customer, { ship_to: { name: 'Depot', country: 'IT' } }))).toEqual(REVERSED);
  expect(await shown(await sell(customer, { ship_to: { name: 'Depot', country: 'DE' } }))).toEqual(TAXED);
  const domestic = await buyer({ country: 'DE', tax_id: 'DE987654321' });
  expect(await shown(await sell(domestic, { ship_to: { name: 'Depot', country: 'FR' } }))).toEqual(TAXED);
  successBody(await sandbox.patch(`/tax_rules/${rule}`, { country: 'FR' }));
});

test('a draft keeps its tax until a change asks for automatic rates, and an issued invoice keeps it for good', async () => {
  const { sandbox } = api;
  const customer = await buyer({ tax_id: null });
  const issued = await sell(customer);
  const { id } = await sell(customer, { draft: true });
  successBody(await sandbox.patch(`/customers/${customer}`, { tax_id: 'FR12345678901' }));
  expect(successBody(await sandbox.patch(`/invoices/${id}`, { notes: 'x' }))).toMatchObject({ total: 119 });
  const changed = successBody(await sandbox.patch(`/invoices/${id}`, { calculate_taxes: true, draft: false }));
  expect(await shown(changed)).toEqual(REVERSED);
  expect(await shown(successBody(await sandbox.get(`/invoices/${issued.id}`)))).toEqual(TAXED);
});

test('rates that a request or a customer names are charged as they are', async () => {
  const { sandbox } = api;
  expect(await shown(await sell(await buyer({}), { taxes: ['vat-19'] }))).toEqual(TAXED);
  expect(await shown(await sell(await buyer({ taxes: ['vat-19'] })))).toEqual(TAXED);
  successBody(await sandbox.patch(`/tax_rules/${rule}`, { reverse_charge: false }));
  expect(await shown(await sell(await buyer({})))).toEqual(TAXED);
  successBody(await sandbox.patch(`/tax_rules/${rule}`, { reverse_charge: true }));
});

test('the note is not printed where no line is reversed', async () => {
  const customer = await buyer({});
  const one = { name: 'Hours', quantity: 2, unit_cost: 50 };
  const ownRate = await sell(customer, { items: [{ ...one, taxes: ['vat-19'] }] });
  expect(await shown(ownRate)).toMatchObject({ total: 119, note: false }); // 100 + 19 % of its own
  expect(await shown(await sell(customer, { items: [{ ...one, taxable: false }] }))).toMatchObject({
    total: 100,
    note: false,
  });
  const both = await sell(customer, { items: [{ ...one, taxes: ['vat-19'] }, one] });
  expect(await shown(both)).toMatchObject({ total: 219, note: true }); // 119 + 100 reversed
});

test('a value that is neither true nor false is refused', async () => {
  const body = { tax_rate: 'vat-19', reverse_charge: 'yes' };
  expect(await api.sandbox.post('/tax_rules', body)).toMatchObject(refused({ param: 'reverse_charge' }));
});
