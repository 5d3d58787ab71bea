import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
let client: Client;
let acme: number;
let other: number;
let invoice: { id: number; number: string };
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  acme = (await client.make('/customers', { name: 'Acmé Söhne', number: 'K-100', email: 'ada@acme.example' })).id;
  other = (await client.make('/customers', { name: 'Globex', email: 'hank@globex.example' })).id;
  const items = [{ name: 'Roof', unit_cost: 1200.5 }];
  invoice = await client.make('/invoices', { customer: acme, items, purchase_order: 'PO 77-B' });
  await client.make('/invoices', { customer: other, items: [{ unit_cost: 1200.5 }], currency: 'eur' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

type Hit = { object: string; id: number | string; match: string; title: string };
const find = async (q: string, { as = client, types = '' } = {}): Promise<Hit[]> => {
  const { status, body } = await as.get(`/search?q=${encodeURIComponent(q)}&types=${types}`);
  expect({ status, incomplete: body.incomplete }).toEqual({ status: 200, incomplete: [] });
  return body.hits;
};
const brief = async (...of: Parameters<typeof find>) =>
  (await find(...of)).map(({ object, id, match }) => `${object} ${id} by ${match}`);

test('a hit says what it is, of whom, and what it comes to', async () => {
  const [best] = await find(invoice.number);
  expect(best).toEqual({
    object: 'invoice',
    id: invoice.id,
    match: 'number',
    title: invoice.number,
    subtitle: 'Acmé Söhne · 1200.50 USD · not_sent',
    customer: acme,
    customer_name: 'Acmé Söhne',
    email: null,
    amount: 1200.5,
    currency: 'usd',
    status: 'not_sent',
  });
});

test('everything is found by each thing that names it', async () => {
  const lines = { items: [{ name: 'Roof', unit_cost: 311 }] };
  const estimate = await client.make('/estimates', { customer: acme, ...lines });
  const note = await client.make('/credit_notes', { customer: acme, ...lines });
  const payment = await client.make('/payments', { customer: acme, amount: 57.25, reference: 'WIRE 8812' });
  const contact = await client.make(`/customers/${acme}/contacts`, {
    name: 'Bea Buchhaltung',
    email: 'bea@acme.example',
  });
  const task = await client.make('/tasks', { customer: acme, name: 'Ask for Zinkblech', action: 'phone' });
  await client.make('/plans', { id: 'gold-yearly', name: 'Golden year', amount: 99, interval: 'year' });
  const subscription = await client.make('/subscriptions', { customer: other, plan: 'gold-yearly' });
  await client.make('/items', { id: 'hammer', name: 'Hammer', unit_cost: 12 });
  await client.make('/coupons', { id: 'spring', name: 'Frühling', value: 5 });
  const page = await client.make('/sign_up_pages', { name: 'Gate', plans: ['gold-yearly'] });
  const link = await client.make('/payment_links', { name: 'Donation', amount: 5 });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const { charge } = await client.make('/charges', { customer: other, amount: 63, applied_to: [], ...card });
  const { refunds } = await client.make(`/charges/${charge.id}/refunds`, { amount: 8.4 });
  const [event] = (await client.get('/events')).body;
  const refund = refunds?.[0]?.id ?? (await client.get('/refunds')).body[0].id;
  for (const [q, hit] of [
    ['acme sohne', `customer ${acme} by name`],
    ['soehne', `customer ${acme} by name`],
    ['K-100', `customer ${acme} by number`],
    ['ADA@acme', `customer ${acme} by email`],
    [`invoice ${invoice.id}`, `invoice ${invoice.id} by id`],
    [`inv #${invoice.id}`, `invoice ${invoice.id} by id`],
    [invoice.number.toLowerCase(), `invoice ${invoice.id} by number`],
    [String(Number(invoice.number.slice(4))), `invoice ${invoice.id} by number`],
    [invoice.number.slice(0, -1), `invoice ${invoice.id} by number`],
    ['77-b', `invoice ${invoice.id} by name`],
    ['acme', `invoice ${invoice.id} by name`],
    ['1,200.50', `invoice ${invoice.id} by amount`],
    ['1.200,50 usd', `invoice ${invoice.id} by amount`],
    [estimate.number, `estimate ${estimate.id} by number`],
    [`quote ${estimate.id}`, `estimate ${estimate.id} by id`],
    ['311', `credit_note ${note.id} by amount`],
    [note.number, `credit_note ${note.id} by number`],
    ['57.25', `payment ${payment.id} by amount`],
    ['WIRE 88', `payment ${payment.id} by reference`],
    [payment.receipt_number, `payment ${payment.id} by number`],
    ['acmé', `payment ${payment.id} by customer`],
    ['globex', `subscription ${subscription.id} by customer`],
    ['63', `charge ${charge.id} by amount`],
    [charge.gateway_id, `charge ${charge.id} by reference`],
    ['8.40', `refund ${refund} by amount`],
    ['buchh', `contact ${contact.id} by name`],
    ['zinkblech', `task ${task.id} by name`],
    ['golden', 'plan gold-yearly by name'],
    ['gold-yearly', 'plan gold-yearly by id'],
    ['hammer', 'item hammer by id'],
    ['fruhling', 'coupon spring by name'],
    ['gate', `sign_up_page ${page.id} by name`],
    ['donat', `payment_link ${link.id} by name`],
    [`event ${event.id}`, `event ${event.id} by id`],
  ] as const)
    expect([q, await brief(q)]).toEqual([q, expect.arrayContaining([hit])]);
});

test('what was named exactly comes first, and types and currencies leave out others', async () => {
  expect((await brief(`invoice ${invoice.id}`))[0]).toBe(`invoice ${invoice.id} by id`);
  expect((await brief(invoice.number))[0]).toBe(`invoice ${invoice.id} by number`);
  expect(await brief('1200.5 eur')).not.toContain(`invoice ${invoice.id} by amount`);
  expect((await brief('acme', { types: 'customer' })).length).toBe(1);
  expect(new Set((await find('acme', { types: 'payment, invoice' })).map(({ object }) => object))).toEqual(
    new Set(['invoice', 'payment']),
  );
  expect(await brief('nothing of the kind')).toEqual([]);
});

test('digits with zeros before them are those of a number, no id and no amount', async () => {
  const items = [{ name: 'Zeros', unit_cost: 3 }];
  await client.make('/invoices', { customer: acme, items, draft: true }); // it has an id, and no number
  const later = await client.make('/invoices', { customer: acme, items });
  const digits = (of: number) => String(of).padStart(5, '0');
  const numbered = Number(later.number.slice(4));
  expect(later.id).not.toBe(numbered);
  expect(await brief(digits(numbered))).toEqual([`invoice ${later.id} by number`]);
  expect(await brief(digits(later.id))).not.toContain(`invoice ${later.id} by id`);
  expect(await brief(`invoice ${digits(later.id)}`)).not.toContain(`invoice ${later.id} by id`);
  expect(await brief('00003.00')).not.toContain(`invoice ${later.id} by amount`);
  expect(await brief('0003')).not.toContain(`invoice ${later.id} by amount`);
  expect(await brief(String(later.id))).toContain(`invoice ${later.id} by id`);
});

test('of each type eight hits are shown, and the types that have more are named', async () => {
  await Promise.all(Array.from({ length: 9 }, (_, n) => client.make('/customers', { name: `Repeated ${n}` })));
  const { body } = await client.get('/search?q=repeated');
  expect(body).toMatchObject({ q: 'repeated', more: ['customer'], incomplete: [] });
  expect(body.hits).toHaveLength(8);
});

test('a caller finds what it may read, a limited member its own customers', async () => {
  await client.make('/roles', { id: 'clerk', name: 'Clerk', permissions: ['documents.read'] });
  const clerk = (await colleague(api, client, { role: 'clerk' })).client;
  const found = await find('acme', { as: clerk });
  expect(found).toContainEqual(expect.objectContaining({ object: 'invoice', id: invoice.id, customer_name: null }));
  expect(found.filter(({ object }) => !['invoice', 'estimate'].includes(object))).toEqual([]);
  expect(await brief('globex', { as: clerk, types: 'customer' })).toEqual([]);
  const limited = await colleague(api, client, { role: 'administrator', isLimited: true });
  for (const q of ['acme', 'globex', invoice.number, `invoice ${invoice.id}`, '1200.50', '63', '8.40'])
    expect([q, await brief(q, { as: limited.client })]).toEqual([q, []]);
  await client.patch(`/customers/${acme}`, { owner: limited.id });
  expect(await brief('acme', { as: limited.client })).toEqual(
    expect.arrayContaining([`customer ${acme} by name`, `invoice ${invoice.id} by name`]),
  );
  expect(await brief('1200.50', { as: limited.client })).toEqual([`invoice ${invoice.id} by amount`]);
  expect(await brief('acme', { as: api.live })).toEqual([]);
});

test('without a text nothing is found; too much text or an unknown type is refused', async () => {
  expect(await brief('')).toEqual([]);
  expect(await brief('  ')).toEqual([]);
  for (const [query, param] of [
    [`?q=${'x'.repeat(256)}`, 'q'],
    [`?q=${'ab '.repeat(11)}`, 'q'],
    ['?q=a&types=colour', 'types'],
    ['?q=a&colour=red', 'colour'],
    ['?q=a&q=b', 'q'],
  ] as const)
    expect([query, await client.get(`/search${query}`)]).toMatchObject([query, refused({ param })]);
});

test.each([
  ['+1 (555) 010-4477', ['+15550104477', '555 010 4477', '0104477', '10-44-77', '1-555-010-4477']],
  ['030/123-9981', ['30 1239981', '0301239981', '(030) 123 99 81', '39981']],
  ['+49 (0)89 55 66 771', ['+49 89 5566771', '089 5566771', '+49 (0)89/5566771']],
])('who has the number %s is found by it', async (phone, searches) => {
  const { id } = await client.make('/customers', { name: 'Reachable', phone });
  const contact = await client.make(`/customers/${acme}/contacts`, { name: 'Called', phone });
  for (const search of searches) {
    const found = await brief(search, { types: 'customer,contact' });
    expect([search, found]).toEqual([search, [`customer ${id} by phone`, `contact ${contact.id} by phone`]]);
  }
  expect(await brief('4477', { types: 'customer,contact' })).not.toContain(`customer ${id} by phone`);
});
