import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { recipientsOf } from '../../../commands/mail/recipients.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
let customer: number;
let path: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Bob GmbH', email: 'bob@example.com' })).id;
  path = `/customers/${customer}/contacts`;
});

const whole = {
  name: 'Grace',
  title: 'CFO',
  email: 'g@bob.example',
  phone: '+1',
  primary: true,
  sms_enabled: true,
  department: 'AP',
  address1: 'a1',
  address2: 'a2',
  city: 'c',
  state: 's',
  postal_code: 'p',
  country: 'DE',
};
const other = {
  name: 'Ada',
  title: 'CEO',
  email: 'a@bob.example',
  phone: '+2',
  primary: false,
  sms_enabled: false,
  department: 'HQ',
  address1: 'b1',
  address2: 'b2',
  city: 'd',
  state: 't',
  postal_code: 'q',
  country: 'AT',
};

test('a contact can be created, read, changed, cleared, listed and deleted', async () => {
  const { sandbox } = api;
  const made = await sandbox.post(path, whole);
  expect(made).toMatchObject({ status: 201, body: { object: 'contact', ...whole } });
  expect(missingFields('contact', made.body)).toEqual([]);
  const one = `${path}/${made.body.id}`;
  expect((await sandbox.get(one)).body).toEqual(made.body);
  expect(await sandbox.patch(one, other)).toMatchObject({ status: 200, body: other });
  const { name, ...rest } = other;
  const nulls = Object.fromEntries(Object.keys(rest).map((field) => [field, null]));
  const cleared = await sandbox.patch(one, nulls);
  expect(cleared.body).toMatchObject({ name, ...nulls, primary: false, sms_enabled: false });
  await sandbox.post(path, { name: 'Zoe' });
  await sandbox.post(path, { name: 'Bea' });
  const names = async (query: string) =>
    (await sandbox.get(`${path}?${query}`)).body.map((contact: { name: string }) => contact.name);
  expect(await names('sort=name desc')).toEqual(['Zoe', 'Bea', 'Ada']);
  expect(await names('filter[name]=Bea')).toEqual(['Bea']);
  expect(await sandbox.delete(one)).toMatchObject({ status: 204, body: null });
  expect([(await sandbox.get(one)).status, (await sandbox.delete(one)).status]).toEqual([404, 404]);
});

test('contacts of another customer are not found below a customer', async () => {
  const { sandbox } = api;
  const { id } = (await sandbox.post(path, { name: 'Mine' })).body;
  const { body: stranger } = await sandbox.post('/customers', { name: 'Stranger' });
  const one = `/customers/${stranger.id}/contacts/${id}`;
  for (const answer of [await sandbox.get(one), await sandbox.patch(one, { name: 'x' }), await sandbox.delete(one)])
    expect(answer).toMatchObject(refused({ message: `Contact was not found: ${id}` }, 404));
  expect((await sandbox.get(`/customers/${stranger.id}/contacts`)).body).toEqual([]);
  expect(await sandbox.get('/customers/999999/contacts')).toMatchObject(
    refused({ message: 'Customer was not found: 999999' }, 404),
  );
  expect((await sandbox.get(`${path}/${id}`)).body.name).toBe('Mine');
});

test('a customer has at most a hundred contacts; deleting one makes room for another', async () => {
  const { sandbox } = api;
  const made = [];
  for (let count = 0; count < 100; count += 1) made.push(await sandbox.post(path, { name: `${count}` }));
  expect(made.map(({ status }) => status)).toEqual(Array(100).fill(201));
  expect(await sandbox.post(path, { name: 'x' })).toMatchObject(
    refused({ message: 'A customer has at most 100 contacts' }),
  );
  await sandbox.delete(`${path}/${made[7]?.body.id}`);
  expect((await sandbox.post(path, { name: 'x' })).status).toBe(201);
});

test.each([
  [{}, 'name', 'Name missing'],
  [{ name: 'x'.repeat(256) }, 'name', 'Name must have at most 255 characters'],
  [{ name: 'a', email: 'nobody' }, 'email', 'Email must be an email address: nobody'],
  [{ name: 'a', country: 'Germany' }, 'country', 'Country must be a two-letter country code of ISO 3166-1: GERMANY'],
  [{ name: 'a', primary: 'yes' }, 'primary', 'Primary must be true or false'],
  [{ name: 'a', adress1: 'b' }, 'adress1', 'Unknown field adress1; did you mean address1?'],
])('%j is refused, naming %s', async (body, param, message) => {
  expect(await api.sandbox.post(path, body)).toMatchObject(refused({ param, message }));
});

test('each change has an event with the whole customer; a change of nothing has none', async () => {
  const { sandbox } = api;
  const { id } = (await sandbox.post(path, { name: 'Told', title: 'CFO' })).body;
  await sandbox.patch(`${path}/${id}`, { title: 'CEO', name: 'Told' });
  await sandbox.patch(`${path}/${id}`, { title: 'CEO' });
  await sandbox.delete(`${path}/${id}`);
  const { body: events } = await sandbox.get(`/events?related_to=contact,${id}`);
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'contact.deleted',
    'contact.updated',
    'contact.created',
  ]);
  const [deleted, updated] = events;
  expect(updated.data.previous).toEqual({ title: 'CFO' });
  for (const { data } of [deleted, updated])
    expect(data.object).toMatchObject({ id, title: 'CEO', customer: { id: customer, name: 'Bob GmbH' } });
});

test('mail goes to the customer and its primary contacts, to each address once', async () => {
  const { sandbox } = api;
  await sandbox.post(path, { name: 'Grace', email: 'grace@example.com', primary: true });
  await sandbox.post(path, { name: 'Not copied', email: 'no@example.com' });
  await sandbox.post(path, { name: 'Without an address', primary: true });
  await sandbox.post(path, { name: 'Bob himself', email: 'BOB@example.com', primary: true });
  const em = api.em.fork();
  const row = await em.findOneOrFail(Customer, { accountId: sandbox.account.id, id: customer });
  expect(await recipientsOf(em, row)).toEqual([
    { name: 'Bob GmbH', email: 'bob@example.com' },
    { name: 'Grace', email: 'grace@example.com' },
  ]);
});

test('a receipt goes to the customer and its primary contacts, or on request to another address only', async () => {
  const { sandbox } = api;
  await sandbox.post(path, { name: 'Grace', email: 'grace@example.com', primary: true });
  const charge = { customer, method: 'credit_card', gateway_token: 'tok_4242424242424242', amount: 4, applied_to: [] };
  await sandbox.post('/charges', charge);
  await sandbox.post('/charges', { ...charge, receipt_email: 'other@example.com' });
  const sql = 'select to_address as to from email where customer_id = ? order by id';
  const mails = await api.em.fork().execute<{ to: string }[]>(sql, [customer]);
  expect(mails.map(({ to }) => to)).toEqual(['bob@example.com', 'grace@example.com', 'other@example.com']);
});
