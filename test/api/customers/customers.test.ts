import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a customer can be created, read, changed and listed', async () => {
  const { sandbox } = api;
  const details = {
    email: 'ap@bob.example',
    payment_terms: 'NET 14',
    address1: '1 Main St',
    country: 'de',
    currency: 'EUR',
  };
  const created = await sandbox.post('/customers', {
    name: 'Bob GmbH',
    ...details,
    metadata: { tier: 'gold', seats: 3 },
  });
  expect(created.status).toBe(201);
  expect(missingFields('customer', created.body)).toEqual([]);
  expect(created.body).toMatchObject({
    object: 'customer',
    name: 'Bob GmbH',
    number: 'CUST-00001',
    type: 'company',
    autopay: false,
    chase: true,
    ...details,
    country: 'DE',
    currency: 'eur',
    metadata: { tier: 'gold', seats: '3' },
  });

  const path = `/customers/${created.body.id}`;
  expect((await sandbox.get(path)).body).toEqual(created.body);
  const changed = await sandbox.patch(path, { email: null, phone: '+49 30 1', metadata: {} });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ email: null, phone: '+49 30 1', name: 'Bob GmbH', metadata: {} });
  const listed = await sandbox.get('/customers?filter[number]=CUST-00001');
  expect(listed.body).toEqual([changed.body]);
});

test('a change writes an event with only the old values', async () => {
  const { body } = await api.sandbox.post('/customers', { name: 'Old name', phone: '1' });
  await api.sandbox.patch(`/customers/${body.id}`, { name: 'New name', phone: '1' });
  const events = await api.sandbox.get(`/events?related_to=customer,${body.id}`);
  expect(events.body.map((event: { type: string }) => event.type)).toEqual(['customer.updated', 'customer.created']);
  expect(events.body[0].data).toMatchObject({ object: { name: 'New name' }, previous: { name: 'Old name' } });
  expect(Object.keys(events.body[0].data.previous)).toEqual(['name']);
  expect(events.body[0].user).toMatchObject({ id: -2 });
});

test('numbers are unique, and the series skips a supplied one', async () => {
  const { live } = api;
  expect((await live.post('/customers', { name: 'A', number: 'CUST-00001' })).status).toBe(201);
  expect((await live.make('/customers', { name: 'B' })).number).toBe('CUST-00002');
  const taken = await live.post('/customers', { name: 'C', number: 'CUST-00001' });
  expect(taken).toMatchObject(refused({ param: 'number', message: 'Number is taken: CUST-00001' }));
  const racing = await Promise.all([1, 2, 3].map((n) => live.post('/customers', { name: `${n}`, number: 'SAME' })));
  expect(racing.map((answer) => answer.status).sort()).toEqual([201, 400, 400]);
  for (const lost of racing.filter((answer) => answer.status === 400)) expect(lost.body.param).toBe('number');
});

test('switching AutoPay off also switches it off on open invoices, which become due by the terms', async () => {
  const { sandbox } = api;
  const { body: customer } = await sandbox.post('/customers', { name: 'Auto', autopay: true, payment_terms: 'NET 10' });
  const issue = () => sandbox.post('/invoices', { customer: customer.id, items: [{ name: 'x', unit_cost: 5 }] });
  const { body: open } = await issue();
  expect(open).toMatchObject({ autopay: true, due_date: null });
  expect(open.next_payment_attempt).toEqual(expect.any(Number));
  const { body: paid } = await issue();
  const applied = [{ type: 'invoice', invoice: paid.id, amount: 5 }];
  await sandbox.post('/payments', { customer: customer.id, amount: 5, applied_to: applied });

  await sandbox.patch(`/customers/${customer.id}`, { autopay: false });
  const after = (await sandbox.get(`/invoices/${open.id}`)).body;
  expect(after).toMatchObject({ autopay: false, next_payment_attempt: null, status: 'not_sent' });
  expect(after.due_date - open.date).toBeGreaterThanOrEqual(10 * 86_400);
  expect(after.due_date - open.date).toBeLessThan(10 * 86_400 + 60);
  expect((await sandbox.get(`/invoices/${paid.id}`)).body).toMatchObject({ autopay: true, status: 'paid' });
});

test.each([
  [{}, 'name', 'Name missing'],
  [{ name: '' }, 'name', 'Name missing'],
  [{ name: 5 }, 'name', 'Name must be text'],
  [{ name: 'x'.repeat(256) }, 'name', 'Name must have at most 255 characters'],
  [{ name: 'a\u0000b' }, 'name', 'Name must be Unicode text without null characters'],
  [{ name: 'a', nmae: 'b' }, 'nmae', 'Unknown field nmae; did you mean name?'],
  [{ name: 'a', autopay: 'yes' }, 'autopay', 'Autopay must be true or false'],
  [{ name: 'a', autopay: 1 }, 'autopay', 'Autopay must be true or false'],
  [{ name: 'a', email: 'nobody' }, 'email', 'Email must be an email address: nobody'],
  [{ name: 'a', country: 'Germany' }, 'country', 'Country must be a two-letter country code of ISO 3166-1: GERMANY'],
  [{ name: 'a', currency: 'xyz' }, 'currency', 'Currency must be an ISO 4217 currency code: xyz'],
  [
    { name: 'a', autopay_delay_days: 1.5 },
    'autopay_delay_days',
    'Autopay delay days must be a whole number from -1 to 365',
  ],
  [{ name: 'a', metadata: 'x' }, 'metadata', 'Metadata must be an object'],
  [
    { name: 'a', metadata: { k: 'v'.repeat(256) } },
    'metadata',
    'Metadata may have values of at most 255 characters: k',
  ],
  [{ name: 'a', metadata: { k: {} } }, 'metadata', 'Metadata must have text as values: k'],
  [{ name: 'a', chasing_cadence: 999 }, 'chasing_cadence', 'Chasing cadence was not found: 999'],
  [
    { name: 'a', next_chase_step: 999 },
    'next_chase_step',
    'Chase step was not found in the cadence of the customer: 999',
  ],
  [{ name: 'a', sign_up_page: 999_999 }, 'sign_up_page', 'Sign-up page was not found: 999999'],
  [{ name: 'a', cc_gateway: 1 }, 'cc_gateway', 'Merchant account was not found: 1'],
  [{ name: 'a', taxes: ['vat'] }, 'taxes[0]', 'Tax rate was not found: vat'],
  [{ name: 'a', taxes: Array(21).fill('vat') }, 'taxes', 'Taxes may have at most 20 elements'],
  [{ name: 'a', credit_limit: -1 }, 'credit_limit', 'Credit limit must not be negative: -1'],
  [{ name: 'a', credit_limit: 0.001 }, 'credit_limit', 'Amounts in usd have at most 2 decimals: 0.001'],
  [{ name: 'a', owner: 999_999 }, 'owner', 'User was not found: 999999'],
  [{ name: 'a', parent_customer: 999_999 }, 'parent_customer', 'Customer was not found: 999999'],
  [
    { name: 'a', disabled_payment_methods: ['credit_card', 'barter'] },
    'disabled_payment_methods[1]',
    expect.anything(),
  ],
  [{ name: 'a', taxengine_entity_use_code: 'x'.repeat(256) }, 'taxengine_entity_use_code', expect.anything()],
])('%j is refused, naming %s', async (body, param, message) => {
  const answer = await api.sandbox.post('/customers', body);
  expect(answer).toMatchObject(refused({ object: 'error', type: 'invalid_request', param, message }));
});

test('read-only fields and defaults of later versions are ignored', async () => {
  const { body } = await api.sandbox.post('/customers', { name: 'Copy', chase: true, taxes: [], credit_limit: null });
  const copied = await api.sandbox.post('/customers', { ...body, number: null });
  expect(copied.status).toBe(201);
  expect(copied.body.id).not.toBe(body.id);
});

test('more than ten metadata keys are refused', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 'v']));
  const answer = await api.sandbox.post('/customers', { name: 'a', metadata });
  expect(answer).toMatchObject(refused({ param: 'metadata' }));
});
