import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';

// A draft can move to another customer: which fields follow the new customer and which stay.

const DATE = Date.UTC(2027, 2, 1, 12) / 1000;
const DAY = 86_400;
let api: TestApi;
/** The draft's customer before and after the move. */
let [former, next]: [number, number] = [0, 0];

beforeAll(async () => {
  api = await startApi();
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  await make('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  former = (await make('/customers', { name: 'Former Ltd', country: 'US', payment_terms: 'NET 10' })).id;
  const german = { country: 'DE', language: 'de', payment_terms: 'NET 5', taxes: ['vat'] };
  next = (await make('/customers', { name: 'Next GmbH', ...german })).id;
});
afterEach(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  expect(api.faults).toEqual([]);
});
afterAll(() => api.close());

const make = (path: string, body: object) => api.sandbox.make(path, body);
const patch = (path: string, body: object) => api.sandbox.patch(path, body);
const read = async (path: string) => (await api.sandbox.get(path)).body;
const items = [{ name: 'Work', quantity: 2, unit_cost: 50 }]; // 100.00
const draft = (more: object = {}, path = '/invoices') =>
  make(path, { customer: former, date: DATE, items, draft: true, ...more });
const page = async (url: string) => (await fetch(url.replace('https://billing.example', api.origin))).text();
const lastEvent = async (type: string, id: number) => (await read(`/events?related_to=${type},${id}`))[0];

test("a draft moves to another customer with its notes, on that customer's terms; amounts, rates and address stay", async () => {
  const before = await draft({ ship_to: { name: 'Dock', country: 'FR' }, discounts: [{ amount: 10 }] });
  expect(before).toMatchObject({ total: 90, payment_terms: 'NET 10', due_date: DATE + 10 * DAY });
  const note = await make('/notes', { invoice: before.id, notes: 'Ask first' });
  const after = successBody(await patch(`/invoices/${before.id}`, { customer: next }));
  expect(after).toEqual({
    ...before,
    customer: next,
    payment_terms: 'NET 5',
    due_date: DATE + 5 * DAY,
    updated_at: after.updated_at,
  });
  expect(await lastEvent('invoice', before.id)).toMatchObject({
    type: 'invoice.updated',
    data: { object: { customer: { id: next } }, previous: { customer: { id: former, name: 'Former Ltd' } } },
  });
  const { previous } = (await lastEvent('invoice', before.id)).data;
  expect(Object.keys(previous).sort()).toEqual(['customer', 'due_date', 'payment_terms']);
  expect(await read(`/notes/${note.id}`)).toMatchObject({ customer: next, invoice: before.id });
  expect(await read(`/invoices?filter[customer]=${former}`)).toEqual([]);

  const owed = (await read(`/customers/${next}/balance`)).total_outstanding;
  const issued = successBody(await patch(`/invoices/${before.id}`, { draft: false }));
  const html = await page(issued.url);
  expect(html).toContain('<html lang="de"');
  expect(html).toContain('Next GmbH');
  expect(html).not.toContain('Former Ltd');
  expect((await read(`/customers/${next}/balance?currency=usd`)).total_outstanding).toBe(owed + 90);
  expect((await read(`/customers/${former}/balance`)).total_outstanding).toBe(0);
});

test('tax rates are looked up again on request, and the same request can issue the draft', async () => {
  const { id } = await draft();
  const issued = successBody(await patch(`/invoices/${id}`, { customer: next, calculate_taxes: true, draft: false }));
  // 100.00 and 20 %
  expect(issued).toMatchObject({ customer: next, status: 'not_sent', total: 120, taxes: [{ amount: 20 }] });
  const untaxed = (await make('/customers', { name: 'Exempt', taxable: false })).id;
  const taxed = await draft({ customer: next });
  expect(taxed.total).toBe(120);
  expect(successBody(await patch(`/invoices/${taxed.id}`, { customer: untaxed }))).toMatchObject({ total: 120 });
  const again = successBody(await patch(`/invoices/${taxed.id}`, { customer: untaxed, calculate_taxes: true }));
  expect(again).toMatchObject({ total: 100, taxes: [] });
});

test('explicit terms stay; terms of AutoPay follow the customer', async () => {
  const said = await draft({ payment_terms: 'NET 7' });
  expect(successBody(await patch(`/invoices/${said.id}`, { customer: next }))).toMatchObject({
    payment_terms: 'NET 7',
    due_date: DATE + 7 * DAY,
  });
  const due = await draft({ due_date: DATE + 3 * DAY });
  expect(successBody(await patch(`/invoices/${due.id}`, { customer: next }))).toMatchObject({
    payment_terms: 'NET 5',
    due_date: DATE + 3 * DAY,
  });
  const automatic = (await make('/customers', { name: 'Auto', autopay: true })).id;
  const first = await draft();
  const charged = successBody(await patch(`/invoices/${first.id}`, { customer: automatic }));
  expect(charged).toMatchObject({ autopay: true, payment_terms: 'AutoPay', due_date: null });
  const back = successBody(await patch(`/invoices/${first.id}`, { customer: former, notes: 'Back' }));
  expect(back).toMatchObject({ autopay: false, payment_terms: 'NET 10', due_date: DATE + 10 * DAY, notes: 'Back' });
  const asked = successBody(
    await patch(`/invoices/${first.id}`, { customer: next, payment_terms: 'NET 1', autopay: false }),
  );
  expect(asked).toMatchObject({ payment_terms: 'NET 1', due_date: DATE + DAY });
});

test("estimates and credit notes move too; a credit note of an invoice keeps the invoice's customer", async () => {
  const estimate = await draft({}, '/estimates');
  const moved = successBody(await patch(`/estimates/${estimate.id}`, { customer: next, draft: false }));
  expect(moved).toMatchObject({ customer: next, total: 100 });
  expect(await page(moved.url)).toContain('Next GmbH');
  const theirs = (await make('/invoices', { customer: former, items })).id;
  const ours = (await make('/invoices', { customer: next, items, taxes: [] })).id;
  const note = await draft({ invoice: theirs }, '/credit_notes');
  const path = `/credit_notes/${note.id}`;
  for (const more of [{}, { invoice: theirs }]) {
    const message = `The credit note corrects invoice ${theirs} of customer ${former}: send another invoice or null as well`;
    expect(await patch(path, { customer: next, ...more })).toMatchObject(refused({ param: 'customer', message }));
  }
  const issued = successBody(await patch(path, { customer: next, invoice: ours, draft: false }));
  expect(issued).toMatchObject({ customer: next, total: 100, paid: true });
  expect(await read(`/invoices/${ours}`)).toMatchObject({ balance: 0, paid: true });
  expect(await lastEvent('credit_note', note.id)).toMatchObject({
    data: { object: { customer: { id: next } }, previous: { customer: { id: former } } },
  });
});

test('issued drafts, and drafts of subscriptions or estimates, keep their customer', async () => {
  const keeps = async (path: string, message: string) =>
    expect(await patch(path, { customer: next })).toMatchObject(refused({ param: 'customer', message }));
  for (const [path, what] of [
    ['/invoices', 'An invoice cannot be moved to another customer: void it and issue another one'],
    ['/estimates', 'An estimate cannot be moved to another customer: void it and create another one'],
    ['/credit_notes', 'A credit note cannot be moved to another customer: void it and issue another one'],
  ] as const)
    await keeps(`${path}/${(await draft({ draft: false }, path)).id}`, what);
  const { id: voided } = await draft();
  successBody(await api.sandbox.post(`/invoices/${voided}/void`));
  await keeps(`/invoices/${voided}`, 'An invoice that is voided cannot be moved to another customer');
  const { id: estimated } = await draft();
  await make('/estimates', { customer: former, items, invoice: estimated });
  await keeps(`/invoices/${estimated}`, 'An invoice of an estimate cannot be moved to another customer');
  const onHold = (await make('/customers', { name: 'Held', credit_hold: true })).id;
  const { id } = await make('/subscriptions', { customer: onHold, plan: 'gold' });
  const key = { accountId: api.sandbox.account.id, id };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date()));
  const [bill] = await read(`/invoices?filter[customer]=${onHold}`);
  expect(bill.status).toBe('draft');
  await keeps(`/invoices/${bill.id}`, 'An invoice of a subscription cannot be moved to another customer');
});

test('a customer that cannot be billed gets no draft', async () => {
  const { id } = await draft();
  const refuses = async (customer: number, message: string) =>
    expect(await patch(`/invoices/${id}`, { customer })).toMatchObject(refused({ param: 'customer', message }));
  await refuses(999_999, 'Customer was not found: 999999');
  const idle = (await make('/customers', { name: 'Idle', active: false })).id;
  await refuses(idle, `Customer ${idle} is not active`);
  const test_clock = (await make('/test_clocks', { frozen_time: DATE })).id;
  const clocked = (await make('/customers', { name: 'Clocked', test_clock })).id;
  await refuses(clocked, `Customer ${clocked} is on another test clock than customer ${former}`);
  const merged = (await make('/customers', { name: 'Merged' })).id;
  successBody(await api.sandbox.post(`/customers/${next}/merge`, { customer: merged }));
  await refuses(merged, `Customer ${merged} was merged into customer ${next}`);
  expect(await read(`/invoices/${id}`)).toMatchObject({ customer: former });
});

test('a draft given to two customers simultaneously and issued is owed by its final customer', async () => {
  const third = (await make('/customers', { name: 'Third' })).id;
  const { id } = await draft();
  const asked = [{ customer: next }, { customer: third }, { customer: next, notes: 'n' }, { draft: false }];
  const answers = await Promise.all(asked.map((body) => patch(`/invoices/${id}`, body)));
  for (const { status, body } of answers) if (status !== 200) expect([status, body.param]).toEqual([400, 'customer']); // it had been issued already
  const { customer, status } = await read(`/invoices/${id}`);
  expect(status).toBe('not_sent');
  const owing = await api.em
    .fork()
    .execute<{ customer: number }[]>(`select distinct customer_id as customer from ledger_entry where invoice_id = ?`, [
      id,
    ]);
  expect(owing).toEqual([{ customer }]);
});

test('events of drafts given to others do not show an anonymized customer; the other events stay', async () => {
  const eve = (await make('/customers', { name: 'Eve Example', email: 'eve@example.com' })).id;
  const { id } = await draft({ customer: eve });
  const payment = (await make('/payments', { customer: eve, amount: 5 })).id;
  successBody(await patch(`/invoices/${id}`, { customer: next }));
  successBody(await patch(`/payments/${payment}`, { customer: next }));
  successBody(await patch(`/invoices/${id}`, { notes: 'later' }));
  successBody(await api.sandbox.post(`/customers/${eve}/anonymize`));
  for (const subject of [`invoice,${id}`, `payment,${payment}`]) {
    const events = JSON.stringify(await read(`/events?related_to=${subject}`));
    expect(events).not.toMatch(/Eve Example|eve@example/);
    expect(events).toContain('Anonymized');
    expect(events).toContain('Next GmbH');
  }
});
