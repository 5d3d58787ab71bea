import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';

// PATCH of invoices: unchanged fields, recomputed fields, and ledger entries.

const START = Date.UTC(2027, 2, 1) / 1000;
const DAY = 86_400;
let now = START;
let api: TestApi;
let sandbox: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  sandbox = api.sandbox;
  customer = (await sandbox.make('/customers', { name: 'Buyer', payment_terms: 'NET 10', country: 'US' })).id;
  await sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await sandbox.make('/tax_rates', { id: 'new', name: 'New', value: 5, is_percent: true });
  await sandbox.make('/coupons', { id: 'ten', name: 'Ten', value: 10, is_percent: true });
  await sandbox.make('/items', { id: 'seat', name: 'Seat', unit_cost: 40, currency: 'usd' });
});

afterEach(async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]));
afterAll(() => api.close());

const lines = [
  { name: 'Work', quantity: 2, unit_cost: 50 }, // 100.00
  { name: 'Fee', unit_cost: 20, taxes: ['vat'] }, // 20.00, vat 4.00
];
/** 120.00 less 10 % = 108.00; vat: 18.00 x 20 % = 3.60; 111.60. */
const issue = (more: object = {}) => sandbox.make('/invoices', { customer, items: lines, discounts: ['ten'], ...more });
const patch = async (id: number, body: object) => successBody(await sandbox.patch(`/invoices/${id}`, body));

async function eventsOf(id: number): Promise<{ type: string; previous: object }[]> {
  const rows = await api.em
    .fork()
    .execute(`select type, previous from event where subject_type = 'invoice' and subject_id = ? order by sequence`, [
      String(id),
    ]);
  return rows.map(({ type, previous }) => ({ type, previous }));
}
const lastEvent = async (id: number) => (await eventsOf(id)).at(-1);

async function ledgerOf(id: number): Promise<Record<string, number>> {
  const rows: { account: string; amount: string }[] = await api.em
    .fork()
    .execute(
      'select ledger_account as account, sum(amount)::text as amount from ledger_entry where invoice_id = ? group by 1 having sum(amount) <> 0',
      [id],
    );
  return Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]));
}

test('an invoice sent back as it is changes nothing', async () => {
  const invoice = await issue({ ship_to: { name: 'Dock', country: 'DE' }, metadata: { a: 'b' } });
  const events = await eventsOf(invoice.id);
  now += 60;
  expect(await patch(invoice.id, invoice)).toEqual(invoice);
  const draft = await issue({ draft: true });
  expect(await patch(draft.id, draft)).toEqual(draft);
  expect(await eventsOf(invoice.id)).toEqual(events);
});

test('a change without amounts recomputes none, and its event has only the changed fields', async () => {
  const invoice = await issue();
  now += 60;
  const words = { name: 'Consulting', notes: 'Thanks', purchase_order: 'PO-9', metadata: { k: 'v' } };
  const changed = await patch(invoice.id, { ...words, disabled_payment_methods: ['ach', 'ach'] });
  expect(changed).toEqual({ ...invoice, ...words, disabled_payment_methods: ['ach'], updated_at: now });
  expect(await lastEvent(invoice.id)).toEqual({
    type: 'invoice.updated',
    previous: { name: 'Invoice', notes: null, purchase_order: null, metadata: {}, disabled_payment_methods: [] },
  });
  const cleared = { notes: null, purchase_order: '', name: null, metadata: {}, disabled_payment_methods: [] };
  expect(await patch(invoice.id, cleared)).toEqual({ ...invoice, updated_at: now });
});

test('lines with ids are kept, others are added, missing ones are removed, and postings follow', async () => {
  const invoice = await issue();
  expect(invoice).toMatchObject({ total: 111.6 });
  const [work, fee] = invoice.items;
  const items = [{ id: fee.id, quantity: 3 }, { name: 'New', unit_cost: 1 }, { id: work.id }];
  const changed = await patch(invoice.id, { items });
  // 60 + 1 + 100 = 161.00 less 10 % = 144.90; vat: 54.00 x 20 % = 10.80; 155.70.
  expect(changed).toMatchObject({ subtotal: 161, total: 155.7, balance: 155.7 });
  expect(changed.items.map(({ id }: { id: number }) => id)).toEqual([fee.id, expect.any(Number), work.id]);
  expect(changed.items[0]).toMatchObject({ name: 'Fee', amount: 60, taxes: [{ id: fee.taxes[0].id, amount: 10.8 }] });
  expect(changed.items[2]).toEqual(work);
  expect(changed.discounts).toMatchObject([{ id: invoice.discounts[0].id, amount: 16.1 }]);
  expect(await ledgerOf(invoice.id)).toEqual({ receivable: 155.7, revenue: -144.9, 'tax_payable:vat': -10.8 });
  const event = await lastEvent(invoice.id);
  expect(Object.keys(event?.previous ?? {}).sort()).toEqual(['balance', 'discounts', 'items', 'subtotal', 'total']);
  const emptied = await patch(invoice.id, { items: [], discounts: [] });
  expect(emptied).toMatchObject({ items: [], discounts: [], total: 0, paid: true, closed: true, status: 'paid' });
  expect(await lastEvent(invoice.id)).toMatchObject({ type: 'invoice.paid' });
  expect(await ledgerOf(invoice.id)).toEqual({});
  const filled = await patch(invoice.id, { items: [{ catalog_item: 'seat' }] });
  expect(filled).toMatchObject({ total: 40, balance: 40, paid: false, closed: false, status: 'not_sent' });
});

test('discounts and taxes are kept by id, replaced and removed', async () => {
  const invoice = await issue({ items: [{ unit_cost: 100 }], discounts: ['ten', { amount: 30 }], taxes: ['vat'] });
  // 100 - 10 - 30 = 60; 12.00; 72.00.
  expect(invoice).toMatchObject({ total: 72 });
  const [ten, fixed] = invoice.discounts;
  const kept = await patch(invoice.id, { discounts: [{ id: fixed.id, amount: 20 }, { id: ten.id }] });
  // 100 - 20 = 80; - 8 = 72; 14.40; 86.40.
  expect(kept).toMatchObject({
    total: 86.4,
    discounts: [
      { id: fixed.id, amount: 20 },
      { id: ten.id, amount: 8 },
    ],
  });
  const other = await patch(invoice.id, { taxes: [{ tax_rate: 'new' }, { amount: 0.5 }] });
  expect(other).toMatchObject({ total: 76.1, taxes: [{ amount: 3.6 }, { amount: 0.5, tax_rate: null }] }); // 72 + 3.60 + 0.50
  const bare = await patch(invoice.id, { taxes: [], discounts: null });
  expect(bare).toMatchObject({ total: 100, taxes: [], discounts: [] });
});

test('amounts use the stored tax rates, which are looked up again only on request', async () => {
  await sandbox.make('/tax_rules', { tax_rate: 'vat', country: 'FR' });
  const rule = await sandbox.make('/tax_rules', { tax_rate: 'new', country: 'IT' });
  const invoice = await issue({ items: [{ unit_cost: 100 }], discounts: [], ship_to: { country: 'FR' } });
  expect(invoice).toMatchObject({ total: 120 });
  const moved = await patch(invoice.id, { ship_to: { country: 'IT' } });
  expect(moved).toMatchObject({ total: 120, ship_to: { country: 'IT', name: null } });
  const dearer = await patch(invoice.id, { items: [{ id: invoice.items[0].id, unit_cost: 200 }] });
  expect(dearer).toMatchObject({ total: 240, taxes: [{ id: invoice.taxes[0].id, amount: 40 }] });
  const anew = await patch(invoice.id, { calculate_taxes: true });
  expect(anew).toMatchObject({ total: 210, taxes: [{ amount: 10, tax_rate: { id: 'new' } }] });
  successBody(await sandbox.delete(`/tax_rules/${rule.id}`));
});

test('a request with a new address and a new rate lookup uses the rates of the new address', async () => {
  const rules = [
    await sandbox.make('/tax_rules', { tax_rate: 'vat', country: 'PT' }),
    await sandbox.make('/tax_rules', { tax_rate: 'new', country: 'ES' }),
  ];
  const body = { items: [{ unit_cost: 100 }], ship_to: { country: 'PT' } };
  const moved = { ship_to: { country: 'ES' }, calculate_taxes: true };
  // 100.00 and 20 % in Portugal, 5 % in Spain.
  const invoice = await sandbox.make('/invoices', { customer, ...body });
  expect([invoice.total, (await patch(invoice.id, moved)).total]).toEqual([120, 105]);
  const estimate = await sandbox.make('/estimates', { customer, ...body });
  expect([estimate.total, successBody(await sandbox.patch(`/estimates/${estimate.id}`, moved)).total]).toEqual([
    120, 105,
  ]);
  for (const { id } of rules) successBody(await sandbox.delete(`/tax_rules/${id}`));
});

test('a closed invoice that is changed to zero is paid, not written off', async () => {
  const invoice = await issue();
  const nothing = await patch(invoice.id, { items: [], closed: true });
  expect(nothing).toMatchObject({ total: 0, balance: 0, paid: true, closed: true, status: 'paid' });
  const [row] = await api.em.fork().execute('select written_off_at from invoice where id = ?', [invoice.id]);
  expect(row).toEqual({ written_off_at: null });
});

test('changes of terms, due date and AutoPay affect one another', async () => {
  const invoice = await issue();
  expect(invoice).toMatchObject({ payment_terms: 'NET 10', due_date: now + 10 * DAY, date: now });
  expect(await patch(invoice.id, { payment_terms: 'NET 5' })).toMatchObject({ due_date: now + 5 * DAY });
  expect(await patch(invoice.id, { date: now + DAY })).toMatchObject({ due_date: now + 6 * DAY });
  expect(await patch(invoice.id, { due_date: now + 3 * DAY })).toMatchObject({ payment_terms: 'NET 5' });
  expect(await patch(invoice.id, { date: now })).toMatchObject({ due_date: now + 3 * DAY });
  expect(await patch(invoice.id, { due_date: null })).toMatchObject({ due_date: now + 5 * DAY });
  const automatic = await patch(invoice.id, { autopay: true });
  expect(automatic).toMatchObject({ payment_terms: 'AutoPay', due_date: null, next_payment_attempt: now });
  const manual = await patch(invoice.id, { autopay: false });
  expect(manual).toMatchObject({ payment_terms: 'NET 10', due_date: now + 10 * DAY, next_payment_attempt: null });
  expect(await patch(invoice.id, { payment_terms: null })).toMatchObject({ payment_terms: 'NET 10' });
});

test('a new date or currency is posted anew', async () => {
  const invoice = await issue({ discounts: [], items: [{ name: 'Work', unit_cost: 12 }] });
  await patch(invoice.id, { date: START - 30 * DAY });
  const days = await api.em.fork().execute(
    `select extract(epoch from document_at)::int as day, sum(amount)::float8 as owed from ledger_entry
       where invoice_id = ? and ledger_account = 'receivable' group by 1 order by 1`,
    [invoice.id],
  );
  expect(days).toEqual([
    { day: START - 30 * DAY, owed: 12 },
    { day: invoice.date, owed: 0 },
  ]);
  expect(await patch(invoice.id, { currency: 'jpy' })).toMatchObject({ currency: 'jpy', total: 12, balance: 12 });
});

test('sent, due and past due are shown as status in order', async () => {
  const invoice = await issue();
  expect(await patch(invoice.id, { sent: true })).toMatchObject({ status: 'sent' });
  expect(await lastEvent(invoice.id)).toEqual({ type: 'invoice.updated', previous: { status: 'not_sent' } });
  const events = await eventsOf(invoice.id);
  await patch(invoice.id, { sent: true });
  expect(await eventsOf(invoice.id)).toEqual(events);
  expect(await patch(invoice.id, { sent: false })).toMatchObject({ status: 'not_sent' });
});

test('simultaneous changes all count, and a number goes to one of them', async () => {
  const invoices = await Promise.all([1, 2, 3, 4].map(() => issue()));
  const answers = await Promise.all(invoices.map(({ id }) => sandbox.patch(`/invoices/${id}`, { number: 'RACE' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  for (const { status, body } of answers) if (status === 400) expect(body.param).toBe('number');
  const [{ id }] = invoices as [{ id: number }];
  await Promise.all([
    sandbox.patch(`/invoices/${id}`, { items: [{ unit_cost: 10 }, { unit_cost: 5 }] }),
    sandbox.patch(`/invoices/${id}`, { items: [{ unit_cost: 30 }] }),
    sandbox.patch(`/invoices/${id}`, { notes: 'both' }),
    sandbox.patch(`/invoices/${id}`, { closed: true }),
  ]);
  expect(successBody(await sandbox.get(`/invoices/${id}`))).toMatchObject({ notes: 'both', closed: true });
  const draft = await issue({ draft: true });
  const issued = await Promise.all([1, 2, 3].map(() => sandbox.patch(`/invoices/${draft.id}`, { draft: false })));
  expect(new Set(issued.map(({ body }) => body.number)).size).toBe(1);
  expect(await ledgerOf(draft.id)).toEqual({ receivable: 111.6, revenue: -108, 'tax_payable:vat': -3.6 });
});

test('a currency is refused if a coupon, a rate of an amount or an item has another', async () => {
  await sandbox.make('/items', { id: 'euro', name: 'Euro', unit_cost: 1, currency: 'eur' });
  await sandbox.make('/coupons', { id: 'off', name: 'Off', value: 5, is_percent: false, currency: 'usd' });
  const refusal = async (fields: object, currency: string) => {
    const { id } = await sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 100 }], ...fields });
    const { status, body } = await sandbox.patch(`/invoices/${id}`, { currency });
    expect(status).toBe(400);
    return [body.param, body.message];
  };
  const coupon = await refusal({ discounts: ['off'] }, 'eur');
  expect(coupon).toEqual(['currency', 'Coupon off is for usd, not eur']);
  expect((await refusal({ discounts: [{ amount: 0.5 }] }, 'jpy'))[0]).toBe('currency');
  const item = await refusal({ currency: 'eur', items: [{ catalog_item: 'euro' }] }, 'usd');
  expect(item).toEqual(['currency', 'Item euro is for eur, not usd']);
});
