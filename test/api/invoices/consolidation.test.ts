import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

const DAY = 86_400;
const NOW = Date.UTC(2027, 2, 1) / 1000;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(NOW * 1000) });
  await api.sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'C', consolidated: true, taxes: ['vat'] })).id;
});

const issue = async (unit_cost: number, body: object = {}) => {
  const answer = await api.sandbox.post('/invoices', {
    customer,
    items: [{ name: `${unit_cost}`, unit_cost }],
    ...body,
  });
  expect([answer.status, answer.body]).toEqual([201, answer.body]);
  return answer.body;
};
const consolidate = (body: object = {}) =>
  api.sandbox.post(`/customers/${customer}/consolidate_invoices`, { cutoff_date: NOW, ...body });
const read = async (path: string) => (await api.sandbox.get(path)).body;

test('consolidation makes one invoice of the open ones, to the cent, and voids those, which name it', async () => {
  // 0.07 and 19 % of it, rounded: 0.08 each; 10.00 and 1.90.
  const first = await issue(0.07, { date: NOW - 2 * DAY });
  const second = await issue(0.07, { date: NOW - DAY });
  const third = await issue(10);
  const { status, body } = await consolidate();
  expect([status, body]).toMatchObject([
    201,
    {
      customer,
      name: 'Consolidated invoice',
      date: NOW,
      status: 'not_sent',
      consolidated_into: null,
      subtotal: 10.14,
      total: 12.06,
      balance: 12.06,
      items: [{ name: '0.07', amount: 0.07 }, { name: '0.07' }, { name: '10' }],
      taxes: [{ amount: 1.92, tax_rate: { id: 'vat' } }],
    },
  ]);
  expect(body.number > third.number).toBe(true);
  const ids = [...body.items, ...body.taxes].map(({ id }: { id: number }) => id);
  expect(new Set([...ids, first.items[0].id, first.taxes[0].id]).size).toBe(ids.length + 2);
  for (const { id } of [first, second, third]) {
    expect(await read(`/invoices/${id}`)).toMatchObject({ status: 'voided', balance: 0, consolidated_into: body.id });
    const [last] = await read(`/events?related_to=invoice,${id}`);
    expect(last).toMatchObject({ type: 'invoice.updated', data: { previous: { consolidated_into: null } } });
  }
  const shown = await read(`/invoices/${first.id}?expand=consolidated_into`);
  expect(shown.consolidated_into).toMatchObject({ id: body.id, total: 12.06 });
  expect(await read(`/customers/${customer}/balance`)).toMatchObject({ total_outstanding: 12.06 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('later, partly paid, credited, charging, draft, closed and foreign-currency invoices are left out', async () => {
  const { sandbox } = api;
  const alone = [
    await issue(1, { date: NOW + DAY }),
    await issue(1, { draft: true }),
    await issue(1, { closed: true }),
  ];
  const part = await issue(2);
  const applied_to = [{ type: 'invoice', invoice: part.id, amount: 1 }];
  await sandbox.post('/payments', { customer, amount: 1, applied_to });
  const charged = await issue(3);
  const pending = { method: 'ach', gateway_token: 'tok_123123123_123123893', customer, amount: 3 };
  await sandbox.post('/charges', { ...pending, applied_to: [{ type: 'invoice', invoice: charged.id, amount: 3 }] });
  const euros = await issue(4, { currency: 'eur' });
  const [one, other] = [await issue(5), await issue(6)];
  const credited = await issue(7);
  await sandbox.post('/credit_notes', { customer, invoice: credited.id, items: [{ unit_cost: 1 }] });
  const [{ id: payment }] = await read('/payments?sort=id desc&per_page=1');
  await sandbox.delete(`/payments/${payment}`); // no payment is applied to the invoice any more
  const { body } = await consolidate();
  expect(body.items.map(({ amount }: { amount: number }) => amount)).toEqual([5, 6]);
  for (const { id } of [...alone, part, charged, euros, credited])
    expect(await read(`/invoices/${id}`)).toMatchObject({ consolidated_into: null });
  for (const { id } of [one, other])
    expect(await read(`/invoices/${id}`)).toMatchObject({ consolidated_into: body.id });
  await issue(7, { currency: 'eur' });
  // 4.00 and 0.76, 7.00 and 1.33.
  expect((await consolidate({ currency: 'EUR' })).body).toMatchObject({ currency: 'eur', total: 13.09 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('credit pays the consolidated invoice as it would have paid its parts', async () => {
  await issue(10);
  await issue(20);
  await api.sandbox.patch('/account', { apply_credits_at_issue: false }); // else it pays one of the parts at once
  await api.sandbox.post('/credit_balance_adjustments', { customer, amount: 5 });
  await api.sandbox.patch('/account', { apply_credits_at_issue: null });
  // 30.00 and 5.70, less 5.00.
  expect((await consolidate()).body).toMatchObject({ total: 35.7, balance: 30.7 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('changed texts leave its amounts the sum of its parts', async () => {
  const { sandbox } = api;
  // 100.00 and 19 %: 119.00; 100.00 untaxed. Computed as one document it would be 200.00 and 38.00.
  await issue(100);
  await issue(100, { taxes: [] });
  const { body: whole } = await consolidate();
  expect(whole).toMatchObject({ subtotal: 200, total: 219, balance: 219 });
  const path = `/invoices/${whole.id}`;
  const noted = (await sandbox.patch(path, { ...whole, notes: 'Thanks' })).body;
  expect(noted).toEqual({ ...whole, notes: 'Thanks' });
  const [{ id: first }, { id: second }] = whole.items;
  const named = (await sandbox.patch(path, { items: [{ id: first, name: 'Work' }, { id: second }] })).body;
  expect(named).toMatchObject({ total: 219, balance: 219, taxes: [{ amount: 19 }], items: [{ name: 'Work' }, {}] });
  for (const body of [
    { items: [{ id: first, unit_cost: 90 }, { id: second }] },
    { taxes: [] },
    { discounts: [{ amount: 1 }] },
  ])
    expect(await sandbox.patch(path, body)).toMatchObject(
      refused({ param: 'items', message: expect.stringContaining('void the invoice and issue another one') }),
    );
  expect(await read(path)).toMatchObject({ total: 219, balance: 219 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('when two requests consolidate at the same time, one succeeds and the other finds nothing', async () => {
  for (const amount of [1, 2, 3]) await issue(amount);
  const answers = await Promise.all([consolidate(), consolidate()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test.each(['', 'null', '{}', '{"cutoff_date":null}', '""'])('the default of cutoff_date is now: %j', async (body) => {
  const past = await issue(1, { date: NOW - DAY });
  const present = await issue(2);
  const future = await issue(4, { date: NOW + 30 * DAY });
  const path = `/customers/${customer}/consolidate_invoices`;
  const answer = await api.sandbox.post(path, body, { 'Content-Type': 'application/json' });
  expect(answer).toMatchObject({ status: 201, body: { subtotal: 3 } });
  for (const one of [past, present]) expect((await read(`/invoices/${one.id}`)).consolidated_into).toBe(answer.body.id);
  expect((await read(`/invoices/${future.id}`)).consolidated_into).toBeNull();
  for (const { id } of [answer.body, future]) await api.sandbox.post(`/invoices/${id}/void`);
});

test('fewer than two invoices, a customer without consolidation, and an invalid date are refused', async () => {
  const message = `Customer ${customer} has fewer than two invoices in usd to consolidate`;
  expect(await consolidate()).toMatchObject(refused({ message }));
  await issue(1);
  expect(await consolidate()).toMatchObject(refused({ message }));
  expect(await consolidate({ cutoff_date: 'none' })).toMatchObject(refused({ param: 'cutoff_date' }));
  await api.sandbox.patch(`/customers/${customer}`, { consolidated: false });
  expect(await consolidate()).toMatchObject(
    refused({ message: `Customer ${customer} is not consolidated: set consolidated to true first` }),
  );
});

test('an invoice of which a part was written off is not consolidated', async () => {
  const [whole, reduced, other] = [await issue(10), await issue(20), await issue(30)];
  const written = await api.sandbox.post(`/invoices/${reduced.id}/write_off`, { amount: 5, reason: 'Goodwill' });
  expect(written.status).toBe(200);
  const { body } = await consolidate();
  expect(body.total).toBe(47.6); // (10 + 30) x 1.19
  expect(await read(`/invoices/${reduced.id}`)).toMatchObject({ status: 'not_sent', balance: 18.8 }); // 20 x 1.19 - 5
  for (const { id } of [whole, other]) expect(await read(`/invoices/${id}`)).toMatchObject({ status: 'voided' });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
