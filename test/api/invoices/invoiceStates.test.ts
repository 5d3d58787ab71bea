import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { TERMS } from '../../../billing/time/terms.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';

// Drafts, bad debt, deletion, and locked invoices.

const START = Date.UTC(2027, 4, 3) / 1000;
const DAY = 86_400;
let now = START;
let api: TestApi;
let sandbox: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  sandbox = api.sandbox;
  customer = (await sandbox.make('/customers', { name: 'Buyer', city: 'Austin', tax_id: 'TX-1' })).id;
  await sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await sandbox.make('/items', { id: 'euro', name: 'Euro', unit_cost: 1, currency: 'eur' });
  await sandbox.make('/coupons', { id: 'off', name: 'Off', value: 5, is_percent: false, currency: 'usd' });
});

afterEach(async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]));
afterAll(() => api.close());

const items = [{ name: 'Work', unit_cost: 100 }];
const issue = (more: object = {}) => sandbox.make('/invoices', { customer, items, ...more });
const patch = async (id: number, body: object) => successBody(await sandbox.patch(`/invoices/${id}`, body));
const refusal = async (id: number, body: object) => {
  const answer = await sandbox.patch(`/invoices/${id}`, body);
  expect(answer.status).toBe(400);
  return [answer.body.param, answer.body.message];
};

async function entriesOf(id: number): Promise<string[]> {
  const rows = await api.em
    .fork()
    .execute(
      'select reason, ledger_account, amount::float8 as amount from ledger_entry where invoice_id = ? order by id',
      [id],
    );
  return rows.map(({ reason, ledger_account, amount }) => `${reason} ${ledger_account} ${amount}`);
}

async function waitsOf(id: number): Promise<string[]> {
  const rows = await api.em
    .fork()
    .execute(`select rule from wakeup where process = 'invoice' and subject_id = ? order by rule`, [id]);
  return rows.map(({ rule }) => rule);
}

async function lastEvent(id: number): Promise<{ type: string; previous: Record<string, unknown> }> {
  const [row] = await api.em
    .fork()
    .execute(
      `select type, previous from event where subject_type = 'invoice' and subject_id = ? order by sequence desc limit 1`,
      [String(id)],
    );
  return row as never;
}

/** Past entries of the timeline, latest first. */
async function toldOf(id: number): Promise<string[]> {
  const told = successBody(await sandbox.get(`/invoices/${id}/timeline?filter[upcoming]=false`));
  return told.map(({ what }: { what: string }) => what);
}

const noAddresses = { url: null, payment_url: null, pdf_url: null };

test('a draft is not owed until it is issued with the next number', async () => {
  const draft = await issue({ draft: true, taxes: ['vat'], payment_terms: 'NET 10' });
  expect(draft).toMatchObject({ draft: true, status: 'draft', number: null, total: 120, balance: 120, paid: false });
  expect([await entriesOf(draft.id), await waitsOf(draft.id)]).toEqual([[], []]);
  const pay = { customer, amount: 1, applied_to: [{ type: 'invoice', invoice: draft.id, amount: 1 }] };
  expect(await sandbox.post('/payments', pay)).toMatchObject(refused({ param: 'applied_to[0][invoice]' }));
  expect(await refusal(draft.id, { closed: true })).toEqual(['closed', 'A draft cannot be closed: it is not owed yet']);
  expect(await refusal(draft.id, { sent: true })).toEqual(['sent', 'A draft cannot be sent: issue it first']);
  const other = await issue();
  now += 3 * DAY;
  const issued = await patch(draft.id, { draft: false, sent: true });
  const next = `INV-${String(Number(other.number.slice(4)) + 1).padStart(5, '0')}`;
  // The date is the draft's. The payment terms count from the issue.
  expect(issued).toMatchObject({
    draft: false,
    status: 'sent',
    number: next,
    date: draft.date,
    due_date: now + 10 * DAY,
  });
  expect(await entriesOf(draft.id)).toEqual([
    'issue receivable 100',
    'issue revenue -100',
    'issue receivable 20',
    'issue tax_payable:vat -20',
  ]);
  expect(await waitsOf(draft.id)).toEqual(['past_due']);
  expect(await lastEvent(draft.id)).toEqual({
    type: 'invoice.updated',
    previous: { draft: true, number: null, status: 'draft', due_date: START + 10 * DAY, ...noAddresses },
  });
  expect((await refusal(draft.id, { draft: true }))[0]).toBe('draft');
  expect(await toldOf(draft.id)).toEqual([`issued ${next} for $120.00`, 'draft of $120.00 made']);
});

test('a draft of zero is paid when it is issued', async () => {
  const draft = await sandbox.make('/invoices', { customer, draft: true });
  expect(draft).toMatchObject({ total: 0, paid: false, status: 'draft' });
  expect(await patch(draft.id, { draft: false })).toMatchObject({ paid: true, closed: true, status: 'paid' });
  expect(await lastEvent(draft.id)).toMatchObject({ type: 'invoice.paid', previous: { draft: true, paid: false } });
});

test('seller and customer are kept as of issue, and equal ones are stored once', async () => {
  const first = await issue();
  const draft = await issue({ draft: true });
  const second = await issue();
  await sandbox.patch(`/customers/${customer}`, { city: 'Boston' });
  await sandbox.patch('/account', { tax_id: 'SELLER-2' });
  const third = await issue();
  await patch(draft.id, { draft: false });
  const rows = await api.em.fork().execute(
    `select i.id, s.id as snapshot, s.bill_to ->> 'city' as city, s.bill_to ->> 'taxId' as tax_id, s.seller ->> 'taxId' as seller
     from invoice i join snapshot s on s.account_id = i.account_id and s.id = i.snapshot_id where i.id = any(?::int[]) order by i.id`,
    [`{${[first.id, draft.id, second.id, third.id].join()}}`],
  );
  expect(rows.map(({ city, tax_id, seller }) => [city, tax_id, seller])).toEqual([
    ['Austin', 'TX-1', null],
    ['Boston', 'TX-1', 'SELLER-2'],
    ['Austin', 'TX-1', null],
    ['Boston', 'TX-1', 'SELLER-2'],
  ]);
  expect(new Set(rows.map(({ snapshot }) => snapshot)).size).toBe(2);
  await sandbox.patch(`/customers/${customer}`, { city: 'Austin' });
});

test('closing writes off the balance, and reopening reverses that', async () => {
  const invoice = await issue({ payment_terms: 'NET 10' });
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 30 }];
  await sandbox.make('/payments', { customer, amount: 30, applied_to });
  const closed = await patch(invoice.id, { closed: true });
  expect(closed).toMatchObject({ closed: true, paid: false, balance: 70, status: 'not_sent' });
  expect((await entriesOf(invoice.id)).slice(-2)).toEqual(['write_off bad_debt 70', 'write_off receivable -70']);
  expect(await waitsOf(invoice.id)).toEqual([]);
  expect(await lastEvent(invoice.id)).toEqual({
    type: 'invoice.updated',
    previous: { closed: false, payment_url: invoice.payment_url },
  });
  const pay = { customer, amount: 1, applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 1 }] };
  expect(await sandbox.post('/payments', pay)).toMatchObject(refused({ param: 'applied_to[0][invoice]' }));
  expect((await refusal(invoice.id, { items: [] }))[0]).toBe('items');
  const reopened = await patch(invoice.id, { closed: false });
  expect(reopened).toEqual({ ...invoice, balance: 70, updated_at: now });
  expect((await entriesOf(invoice.id)).slice(-2)).toEqual(['reopen receivable 70', 'reopen bad_debt -70']);
  expect(await waitsOf(invoice.id)).toEqual(['past_due']);
  await sandbox.make('/payments', {
    customer,
    amount: 70,
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 70 }],
  });
  expect((await refusal(invoice.id, { closed: false }))[0]).toBe('closed');
});

test('a payment taken off a written-off invoice is written off too', async () => {
  const invoice = await issue();
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 40 }];
  const payment = await sandbox.make('/payments', { customer, amount: 40, applied_to });
  await patch(invoice.id, { closed: true });
  successBody(await sandbox.delete(`/payments/${payment.id}`));
  expect(successBody(await sandbox.get(`/invoices/${invoice.id}`))).toMatchObject({
    balance: 100,
    closed: true,
    paid: false,
  });
  expect(successBody(await sandbox.post(`/invoices/${invoice.id}/void`))).toMatchObject({
    status: 'voided',
    balance: 0,
  });
});

test('an invoice can be created as closed bad debt', async () => {
  const invoice = await issue({ closed: true });
  expect(invoice).toMatchObject({ closed: true, paid: false, balance: 100 });
  expect(await waitsOf(invoice.id)).toEqual([]);
});

test('a deleted draft is gone; a deleted issued invoice is reversed in the books and 404', async () => {
  const draft = await issue({ draft: true });
  expect((await sandbox.delete(`/invoices/${draft.id}`)).status).toBe(204);
  expect(await lastEvent(draft.id)).toMatchObject({ type: 'invoice.deleted' });
  const invoice = await issue({ taxes: ['vat'] });
  expect((await sandbox.delete(`/invoices/${invoice.id}`)).status).toBe(204);
  expect((await entriesOf(invoice.id)).slice(-4)).toEqual([
    'delete revenue 100',
    'delete receivable -100',
    'delete tax_payable:vat 20',
    'delete receivable -20',
  ]);
  expect([await lastEvent(invoice.id), await waitsOf(invoice.id)]).toMatchObject([{ type: 'invoice.deleted' }, []]);
  for (const id of [draft.id, invoice.id]) {
    for (const answer of [
      await sandbox.get(`/invoices/${id}`),
      await sandbox.patch(`/invoices/${id}`, {}),
      await sandbox.delete(`/invoices/${id}`),
      await sandbox.post(`/invoices/${id}/void`),
    ])
      expect(answer.status).toBe(404);
  }
  const listed = successBody(await sandbox.get('/invoices')).map(({ id }: { id: number }) => id);
  expect(listed).not.toContain(invoice.id);
  expect(await sandbox.post('/invoices', { customer, number: invoice.number })).toMatchObject(
    refused({ param: 'number' }),
  );
});

test('applications lock amounts, number and date; other fields stay free', async () => {
  const invoice = await issue();
  const payment = { customer, amount: 10, applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 10 }] };
  await sandbox.make('/payments', payment);
  const why = `Invoice ${invoice.number} has payments applied: remove them first`;
  for (const [param, body] of [
    ['items', { items: [{ unit_cost: 1 }] }],
    ['discounts', { discounts: ['off'] }],
    ['taxes', { taxes: ['vat'] }],
    ['currency', { currency: 'eur' }],
    ['number', { number: 'OTHER' }],
    ['date', { date: now - DAY }],
  ] as const)
    expect(await refusal(invoice.id, body)).toEqual([param, why]);
  expect((await refusal(invoice.id, { customer: customer + 1 }))[0]).toBe('customer');
  expect((await sandbox.delete(`/invoices/${invoice.id}`)).body.message).toMatch(/payments applied/);
  const free = {
    due_date: now + DAY,
    payment_terms: 'NET 3',
    notes: 'n',
    purchase_order: 'p',
    metadata: { a: '1' },
    autopay: false,
    sent: true,
    disabled_payment_methods: ['ach'],
    attachments: [],
    ship_to: { city: 'Rome' },
  };
  await patch(invoice.id, free);
  await patch(invoice.id, { closed: true });
  await patch(invoice.id, { closed: false });
  const same = successBody(await sandbox.get(`/invoices/${invoice.id}`));
  expect(await patch(invoice.id, same)).toEqual(same);
});

test('the setting lock_documents: sent locks sent documents', async () => {
  successBody(await sandbox.patch('/account', { lock_documents: 'sent' }));
  const invoice = await issue();
  await patch(invoice.id, { items: [{ unit_cost: 7 }], sent: true });
  expect(await refusal(invoice.id, { items: [] })).toEqual(['items', `Invoice ${invoice.number} has been sent`]);
  successBody(await sandbox.patch('/account', { lock_documents: null }));
  expect(await patch(invoice.id, { items: [] })).toMatchObject({ total: 0 });
});

test('a voided invoice keeps its fields, and is 404 once it is deleted', async () => {
  const invoice = await issue();
  successBody(await sandbox.post(`/invoices/${invoice.id}/void`));
  expect(await refusal(invoice.id, { items: [] })).toEqual(['items', `Invoice ${invoice.number} is voided`]);
  expect((await refusal(invoice.id, { closed: false }))[0]).toBe('closed');
  expect((await sandbox.delete(`/invoices/${invoice.id}`)).status).toBe(204);
  const draft = await issue({ draft: true });
  expect(successBody(await sandbox.post(`/invoices/${draft.id}/void`))).toMatchObject({
    status: 'voided',
    draft: true,
  });
  expect((await refusal(draft.id, { draft: false }))[0]).toBe('draft');
});

test.each([
  [{ items: [{ id: 4711 }] }, 'items[0][id]', 'Line item was not found: 4711'],
  [{ items: [{ catalog_item: 'euro' }] }, 'items[0][catalog_item]', 'Item euro is priced in eur, not usd'],
  [{ items: [{ unit_cost: -5 }] }, 'items', 'Total must not be negative: -5.00'],
  [{ discounts: [{ id: 4711 }] }, 'discounts[0][id]', 'Discount was not found: 4711'],
  [{ taxes: [{ id: 4711 }] }, 'taxes[0][id]', 'Tax was not found: 4711'],
  [{ number: 'TAKEN' }, 'number', 'Number is taken: TAKEN'],
  [{ number: null }, 'number', 'Number missing'],
  [{ date: null }, 'date', 'Date missing'],
  [{ draft: 'maybe' }, 'draft', 'Draft must be true or false'],
  [{ attachments: [4711] }, 'attachments[0]', 'File was not found: 4711'],
  [{ payment_terms: 'never' }, 'payment_terms', `Payment terms must be ${TERMS}: never`],
  [{ itmes: [] }, 'itmes', 'Unknown field itmes; did you mean items?'],
])('%j is refused, naming %s', async (body, param, message) => {
  const [{ id }] = successBody(await sandbox.get('/invoices?filter[number]=TAKEN')).concat({ id: 0 });
  if (id === 0) await issue({ number: 'TAKEN' });
  const invoice = await issue();
  expect(await refusal(invoice.id, body)).toEqual([param, message]);
  expect(successBody(await sandbox.get(`/invoices/${invoice.id}`))).toEqual(invoice);
});
