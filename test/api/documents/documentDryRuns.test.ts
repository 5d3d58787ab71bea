import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { likeOther } from '../../../dashboard/documents/like.ts';
import { bodyOf, type FormField, valuesOf } from '../../../dashboard/forms/field.ts';
import { formatsOf } from '../../../dashboard/written.ts';
import { type Answer, startApi, successBody, type TestApi } from '../../support/api.ts';
import { storedRows, withoutIdentity } from '../../support/dryRuns.ts';
import { randomOf } from '../../support/random.ts';
import { createShownCatalog, type ShownCatalog, shownContent } from '../../support/shownDocuments.ts';

/** Dry runs of documents show what the request would make, with the picture of its pages, and store nothing. */

const kinds = { invoices: 'invoice', estimates: 'estimate', credit_notes: 'credit_note' } as const;
const paths = ['invoices', 'estimates', 'credit_notes'] as const;

let api: TestApi;
let catalog: ShownCatalog;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  catalog = await createShownCatalog(api.sandbox);
  customer = (await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
});
afterAll(() => api.close());

const tried = async (path: string, body: object, query = ''): Promise<Answer['body']> =>
  successBody(await api.sandbox.post(`${path}?dry_run=true${query}`, body));

/** A document as it is compared: what a dry run shows of it. */
const shownOf = (document: Answer['body']) => withoutIdentity(document);

test.each(paths)('%s: 20 random documents are issued as their dry runs show them', async (path) => {
  const kind = kinds[path];
  for (let seed = 0; seed < 20; seed += 1) {
    const { discounts, ...content } = shownContent(catalog, randomOf(seed));
    const body = { customer, ...content, discounts };
    const foreseen = (await tried(`/${path}`, body))[kind];
    const issued = await api.sandbox.make(`/${path}`, body);
    expect([seed, shownOf(foreseen)]).toEqual([seed, shownOf(issued)]);
    expect([foreseen.id, foreseen.number, foreseen.url]).toEqual([null, null, null]);
  }
});

test('what the dashboard copies of an invoice comes to the same: a duplicate, and a credit of the whole', async () => {
  const formats = formatsOf({ language: 'en', zone: 'UTC' });
  const fields: FormField[] = [
    { name: 'customer', label: '', kind: 'reference' },
    { name: 'invoice', label: '', kind: 'reference' },
    { name: 'currency', label: '', kind: 'choice' },
    { name: 'items', label: '', kind: 'lines' },
    { name: 'discounts', label: '', kind: 'coupon' },
    { name: 'taxes', label: '', kind: 'tax_rate' },
  ];
  for (let seed = 40; seed < 60; seed += 1) {
    const invoice = await api.sandbox.make('/invoices', { customer, ...shownContent(catalog, randomOf(seed)) });
    for (const list of ['invoices', 'credit_notes'] as const) {
      const values = valuesOf(fields, likeOther(list, invoice), formats);
      const body = bodyOf(fields, { base: null, values, formats });
      const copy = await api.sandbox.make(`/${list}`, body);
      expect([seed, list, copy.total]).toEqual([seed, list, invoice.total]);
    }
  }
});

test.each(paths)('%s: a dry run stores nothing, takes no number and leaves its key free', async (path) => {
  const body = { customer, items: [{ name: 'Support hour', quantity: 2, unit_cost: 120 }] };
  const before = await storedRows(api.em);
  const key = { 'Idempotency-Key': `one-${path}` };
  const [first, second] = [
    await api.sandbox.post(`/${path}?dry_run=true`, body, key),
    await api.sandbox.post(`/${path}?dry_run=true&picture=true`, body, key),
  ];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await storedRows(api.em)).toEqual(before);
  const [one, next] = [await api.sandbox.post(`/${path}`, body, key), await api.sandbox.post(`/${path}`, body)];
  expect(successBody(one).total).toBe(240);
  const digits = ({ body: { number } }: Answer) => Number(number.replace(/\D/g, ''));
  expect(digits(next) - digits(one)).toBe(1);
});

test('a change of a draft is tried: new totals, the old ones stay', async () => {
  const draft = await api.sandbox.make('/invoices', {
    customer,
    draft: true,
    items: [{ name: 'Hour', unit_cost: 100 }],
  });
  const change = { items: [{ name: 'Hour', quantity: 3, unit_cost: 100 }], discounts: ['tenth'], draft: false };
  const path = `/invoices/${draft.id}`;
  const foreseen = successBody(await api.sandbox.patch(`${path}?dry_run=true`, change)).invoice;
  // 3 x 100 less 10 % = 270
  expect(foreseen).toMatchObject({ subtotal: 300, total: 270, draft: false, number: null });
  expect(successBody(await api.sandbox.get(path))).toMatchObject({ total: 100, draft: true });
  const issued = successBody(await api.sandbox.patch(path, change));
  expect(shownOf(issued)).toEqual(shownOf(foreseen));
});

test('the picture shows every page of the document as it would be issued, and text of tenants stays text', async () => {
  const name = '<script>alert(1)</script> & "quoted"';
  const items = Array.from({ length: 60 }, (_, index) => ({ name: `${name} ${index}`, unit_cost: 1 }));
  const { picture, invoice } = await tried('/invoices', { customer, items }, '&picture=true');
  expect(invoice.total).toBe(60);
  expect(picture.pages).toBeGreaterThan(1);
  expect(picture.svg).toMatch(/^<svg /);
  expect(picture.svg).not.toContain('<script>alert');
  const [, height = ''] = /viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(picture.svg) ?? [];
  // A page in letter format is 792 points high.
  expect(Math.round(Number(height) / 792)).toBe(picture.pages);
  expect((await tried('/invoices', { customer, items }, '&picture=false')).picture).toBeNull();
});

test('a document of 1,000 lines has a picture; one of more than 60 pages has none, but its totals', async () => {
  const short = Array.from({ length: 1000 }, (_, index) => ({ name: `Hour ${index}`, unit_cost: 1 }));
  expect((await tried('/invoices', { customer, items: short }, '&picture=true')).picture.pages).toBeGreaterThan(15);
  const long = short.map((item) => ({ ...item, description: Array(9).fill('x').join('\n') }));
  const { picture, invoice } = await tried('/invoices', { customer, items: long }, '&picture=true');
  expect({ picture, total: invoice.total }).toEqual({ picture: null, total: 1000 });
});

test('what the request would refuse, its dry run refuses alike', async () => {
  const refusals = [
    { customer: 999_999, items: [] },
    { customer, items: [{ name: 'Hour', unit_cost: 'much' }] },
    { customer, items: [{ catalog_item: 'unknown' }] },
    { customer, currency: 'xxx', items: [] },
    { customer, items: [{ name: 'Off', unit_cost: -5 }] },
  ];
  for (const body of refusals) {
    const [foreseen, real] = [
      await api.sandbox.post('/invoices?dry_run=true', body),
      await api.sandbox.post('/invoices', body),
    ];
    expect([foreseen.status, foreseen.body.code, foreseen.body.param]).toEqual([400, real.body.code, real.body.param]);
  }
  const asked = await api.sandbox.post('/invoices?dry_run=perhaps', { customer });
  expect([asked.status, asked.body.param]).toEqual([400, 'dry_run']);
  const pictured = await api.sandbox.post('/invoices?dry_run=true&picture=maybe', { customer });
  expect([pictured.status, pictured.body.param]).toEqual([400, 'picture']);
});

test('a draft of a customer on credit hold is shown as the draft that it would stay', async () => {
  const held = (await api.sandbox.make('/customers', { name: 'Held', credit_hold: true })).id;
  const body = { customer: held, items: [{ name: 'Hour', unit_cost: 5 }] };
  const [foreseen, real] = [
    await api.sandbox.post('/invoices?dry_run=true', body),
    await api.sandbox.post('/invoices', body),
  ];
  expect([foreseen.status, foreseen.body.code]).toEqual([real.status, real.body.code]);
  const draft = await tried('/invoices', { ...body, draft: true });
  expect(draft.invoice).toMatchObject({ draft: true, total: 5, number: null });
});
