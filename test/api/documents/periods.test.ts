import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
  await api.sandbox.patch('/account', { apply_credits_at_issue: false }); // a credit note that has paid cannot be changed
});
afterAll(() => api.close());

const [start, end] = [1_798_761_600, 1_801_440_000];

test('lines of documents and pending lines take a service period or date', async () => {
  const items = [
    { name: 'Period', unit_cost: 1, period_start: start, period_end: end },
    { name: 'Date', unit_cost: 1, period_start: start },
    { name: 'Neither', unit_cost: 1 },
  ];
  for (const path of ['/invoices', '/estimates', '/credit_notes']) {
    const made = await api.sandbox.make(path, { customer, items });
    expect(made.items).toMatchObject([
      { period_start: start, period_end: end },
      { period_start: start, period_end: start },
      {},
    ]);
    expect(made.items[2]).not.toHaveProperty('period_start');
    const [period, , neither] = made.items;
    const changed = [
      { ...period, period_start: null, period_end: null },
      { ...neither, period_end: end },
    ];
    const { body } = await api.sandbox.patch(`${path}/${made.id}`, { items: changed });
    expect(body.items[0]).not.toHaveProperty('period_start');
    expect(body.items[1]).toMatchObject({ id: neither.id, period_start: end, period_end: end });
  }
  const pending = `/customers/${customer}/line_items`;
  const line = await api.sandbox.make(pending, items[0] ?? {});
  expect(line).toMatchObject({ period_start: start, period_end: end });
  const { body } = await api.sandbox.patch(`${pending}/${line.id}`, { period_start: start + 1 });
  expect(body).toMatchObject({ period_start: start + 1, period_end: end });
  const invoice = await api.sandbox.make(`/customers/${customer}/invoices`, {});
  expect(invoice.items).toMatchObject([{ period_start: start + 1, period_end: end }]);
});

test('a period that ends before it begins is refused', async () => {
  const line = { name: 'Period', unit_cost: 1, period_start: end, period_end: start };
  const message = 'Period end must not be before its start';
  const wrong = await api.sandbox.post('/invoices', { customer, items: [{ name: 'First', unit_cost: 1 }, line] });
  expect(wrong).toMatchObject(refused({ param: 'items[1][period_end]', message }));
  const pending = await api.sandbox.post(`/customers/${customer}/line_items`, line);
  expect(pending).toMatchObject(refused({ param: 'period_end', message }));
});
