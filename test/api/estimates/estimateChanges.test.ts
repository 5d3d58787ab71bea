import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';

/** PATCH of estimates: unchanged fields, recomputed fields, refusals, and events. */

const START = Date.UTC(2027, 2, 1, 12) / 1000;
const DAY = 86_400;
let now = START;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  const { sandbox } = api;
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await sandbox.post('/tax_rates', { id: 'new', name: 'New', value: 5, is_percent: true });
  await sandbox.post('/coupons', { id: 'ten', name: 'Ten', value: 10, is_percent: true });
});
afterAll(() => api.close());
beforeEach(async () => {
  now = START;
  customer = (await api.sandbox.make('/customers', { name: 'Asker' })).id;
});

const lines = [
  { name: 'Work', quantity: 2, unit_cost: 50 }, // 100.00
  { name: 'Fee', unit_cost: 20, taxes: ['vat'] }, // 20.00, vat 4.00
];
/** 120.00 less 10 % = 108.00; vat: 18.00 x 20 % = 3.60; 111.60. */
const make = (more: object = {}) =>
  api.sandbox.make('/estimates', { customer, items: lines, discounts: ['ten'], ...more });
const patch = (id: number, body: object) => api.sandbox.patch(`/estimates/${id}`, body);
const changed = async (id: number, body: object) => successBody(await patch(id, body));
const refuses = async (id: number, body: object, param: string, message: string) =>
  expect(await patch(id, body)).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
const told = async (id: number) =>
  (await api.sandbox.get(`/events?related_to=estimate,${id}`)).body
    .toReversed()
    .map(({ type, data }: { type: string; data: { previous?: object } }) => [type, data.previous]);

test('an estimate sent back as it is changes nothing', async () => {
  const full = { ship_to: { name: 'Dock', country: 'DE' }, deposit: 11.6, expiration_date: START + DAY };
  const estimate = await make({ ...full, metadata: { a: 'b' } });
  now += 60;
  expect(await changed(estimate.id, estimate)).toEqual(estimate);
  const draft = await make({ draft: true });
  expect(await changed(draft.id, draft)).toEqual(draft);
  const declined = await changed(estimate.id, { closed: true });
  expect(await changed(estimate.id, declined)).toEqual(declined);
  expect(await told(estimate.id)).toEqual([
    ['estimate.created', undefined],
    ['estimate.updated', { closed: false, status: 'not_sent' }],
  ]);
});

test('a change without amounts recomputes none, and its event has only the changed fields', async () => {
  const estimate = await make({ taxes: ['vat'] });
  await api.sandbox.patch(`/customers/${customer}`, { taxes: ['new'] });
  now += 60;
  const words = {
    name: 'Offer',
    notes: 'Thanks',
    purchase_order: 'PO-9',
    payment_terms: 'NET 5',
    metadata: { k: 'v' },
    ship_to: { name: 'Dock', country: 'DE' },
    deposit: 20,
    expiration_date: START + DAY,
    disabled_payment_methods: ['ach'],
  };
  const { ship_to, ...said } = words;
  const after = await changed(estimate.id, words);
  expect(after).toMatchObject({ ...said, ship_to, total: estimate.total, taxes: estimate.taxes, updated_at: now });
  const [, [type, previous]] = await told(estimate.id);
  expect([type, Object.keys(previous).sort()]).toEqual(['estimate.updated', Object.keys(words).sort()]);
});

test('lines keep their ids, amounts follow, and tax rates are looked up again only on request', async () => {
  const estimate = await make();
  const [work, fee] = estimate.items;
  await api.sandbox.patch(`/customers/${customer}`, { taxes: ['new'] });
  const after = await changed(estimate.id, { items: [{ id: work.id, quantity: 1 }, { id: fee.id }] });
  // 50 + 20 = 70.00 less 10 % = 63.00; vat on 18.00: 3.60
  expect(after).toMatchObject({ subtotal: 70, total: 66.6, items: [{ id: work.id, quantity: 1 }, { id: fee.id }] });
  // 5 % of 63.00: 3.15
  const taxed = await changed(estimate.id, { calculate_taxes: true });
  expect(taxed).toMatchObject({ total: 69.75, taxes: [{ amount: 3.15, tax_rate: { id: 'new' } }] });
  expect(await changed(estimate.id, { discounts: [], taxes: [] })).toMatchObject({ total: 74, discounts: [] });
});

test('sending sets the status; issuing a draft gives it its number, seller and customer', async () => {
  const { id } = await make();
  expect(await changed(id, { sent: true })).toMatchObject({ status: 'sent' });
  expect(await changed(id, { sent: false })).toMatchObject({ status: 'not_sent' });
  const draft = await make({ draft: true });
  const issued = await changed(draft.id, { draft: false, sent: true });
  expect(issued).toMatchObject({ draft: false, status: 'sent', number: expect.stringMatching(/^EST-\d{5}$/) });
  expect((await told(draft.id)).at(-1)).toEqual([
    'estimate.updated',
    { draft: true, status: 'draft', number: null, url: null, pdf_url: null },
  ]);
  const [row] = await api.em.fork().execute('select snapshot_id from estimate where id = ?', [draft.id]);
  expect(row?.snapshot_id).toEqual(expect.any(Number));
});

test('reopening a declined estimate restores it as it was', async () => {
  const { id } = await make({ sent: true });
  expect(await changed(id, { closed: true })).toMatchObject({ closed: true, status: 'declined', approved: null });
  await refuses(id, { items: [] }, 'items', 'is closed: reopen it first');
  expect(await changed(id, { closed: false, items: [lines[0]] })).toMatchObject({ status: 'sent', total: 90 });
});

test('an expired estimate cannot be invoiced, even before its process has woken', async () => {
  const { id } = await make({ expiration_date: START + DAY });
  now = START + 3 * DAY;
  const late = await api.sandbox.post(`/estimates/${id}/invoice`, {});
  expect(late).toMatchObject(refused({ message: expect.stringContaining('has expired') }));
  await changed(id, { expiration_date: START + 9 * DAY });
  expect(await api.sandbox.post(`/estimates/${id}/invoice`, {})).toMatchObject({ status: 201, body: { total: 111.6 } });
});

test('an estimate expires at the end of its expiration day, or of a later one once set', async () => {
  // 23:00 UTC is the next day in Berlin
  await api.sandbox.patch('/account', { time_zone: 'Europe/Berlin' });
  const { id } = await make({ expiration_date: START + 11 * 3600 });
  await api.sandbox.patch('/account', { time_zone: 'UTC' });
  const wait = async () =>
    (await api.em.fork().execute(`select at from wakeup where process = 'estimate' and subject_id = ?`, [id])).map(
      ({ at }) => new Date(at).toISOString(),
    );
  expect(await wait()).toEqual(['2027-03-02T23:00:00.000Z']);
  now = START + 2 * DAY;
  expect(await changed(id, { notes: 'Late' })).toMatchObject({ closed: true, status: 'declined' });
  expect(await wait()).toEqual([]);
  await refuses(id, { closed: false }, 'closed', 'has expired: give it a later expiration_date');
  await refuses(id, { closed: false, expiration_date: START + DAY }, 'expiration_date', 'has passed: give a later one');
  expect(await changed(id, { expiration_date: START + 9 * DAY })).toMatchObject({ closed: false, status: 'not_sent' });
  expect(await wait()).toEqual(['2027-03-10T23:00:00.000Z']);
  expect(await changed(id, { expiration_date: null })).toMatchObject({ expiration_date: null });
  expect(await wait()).toEqual([]);
});

test.each<[what: string, more: object, change: object, param: string, message: string]>([
  ['another customer', {}, { customer: 1 }, 'customer', 'cannot be moved to another customer'],
  ['another invoice', {}, { invoice: 1 }, 'invoice', 'POST /estimates/:id/invoice creates it'],
  ['a draft again', {}, { draft: true }, 'draft', 'cannot become a draft again'],
  ['no number', {}, { number: null }, 'number', 'missing'],
  ['a deposit beyond the total', {}, { deposit: 111.61 }, 'deposit', 'more than the total of 111.60'],
  ['a total below the deposit', { deposit: 50 }, { items: [] }, 'deposit', 'more than the total of 0.00'],
  ['an expiration before its date', {}, { expiration_date: START - 1 }, 'expiration_date', 'before the date'],
  ['a sent draft', { draft: true }, { sent: true }, 'sent', 'issue it first'],
  ['a closed draft', { draft: true }, { closed: true }, 'closed', 'delete it'],
  ['unknown payment terms', {}, { payment_terms: 'soon' }, 'payment_terms', 'must be NET'],
  ['a line of another document', {}, { items: [{ id: 999_999 }] }, 'items[0][id]', 'not found'],
  ['an unknown field', {}, { expires: 1 }, 'expires', 'Unknown field'],
])('a change of an estimate is refused: %s', async (_what, more, change, param, message) => {
  if ('customer' in change) await api.sandbox.post('/customers', { name: 'Other' });
  const { id } = await make(more);
  await refuses(id, change, param, message);
});

const frozen: [param: string, change: object][] = [
  ['items', { items: [] }],
  ['discounts', { discounts: [] }],
  ['taxes', { taxes: ['vat'] }],
  ['currency', { currency: 'eur' }],
  ['number', { number: 'E-1' }],
  ['date', { date: START - DAY }],
];

test('an invoiced estimate, or a sent one under the lock, keeps amounts, number and date; other fields can change', async () => {
  const invoiced = await make();
  successBody(await api.sandbox.post(`/estimates/${invoiced.id}/invoice`));
  for (const [param, change] of frozen) await refuses(invoiced.id, change, param, 'is invoiced: change the invoice');
  await refuses(invoiced.id, { closed: false }, 'closed', 'is invoiced and cannot be reopened');
  await refuses(invoiced.id, { deposit: 1 }, 'deposit', 'is invoiced: its deposit cannot be changed');
  expect(await changed(invoiced.id, { notes: 'x', purchase_order: 'y' })).toMatchObject({
    notes: 'x',
    status: 'invoiced',
  });
  const sent = await make({ sent: true });
  await api.sandbox.patch('/account', { lock_documents: 'sent' });
  for (const [param, change] of frozen) await refuses(sent.id, change, param, 'has been sent');
  await api.sandbox.patch('/account', { lock_documents: 'paid' });
  expect(await changed(sent.id, { number: 'E-1', date: START - DAY })).toMatchObject({ number: 'E-1' });
  await refuses(invoiced.id, { number: 'E-1' }, 'number', 'taken');
});

test('a deposit received elsewhere can be marked as paid and unpaid', async () => {
  const { id } = await make({ deposit: 10, deposit_paid: true });
  expect(await changed(id, { deposit_paid: false })).toMatchObject({ deposit_paid: false });
  expect(await changed(id, { deposit_paid: true })).toMatchObject({ deposit_paid: true });
});
