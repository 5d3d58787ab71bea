import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { addMember } from '../../support/oauth.ts';

let api: TestApi;
let customer: number;
let invoice: number;
/** A member of the business, and a member of another one. */
let member: number;
let foreign: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Noted' })).id;
  invoice = (await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: 5 }] })).id;
  const rival = await api.open('Rival');
  await addMember(api, api.live.account, 'ours@example.com');
  await addMember(api, rival.live.account, 'theirs@example.com');
  const ids = await api.em.fork().execute<{ id: number }[]>('select id from member order by id');
  [member = 0, foreign = 0] = ids.map(({ id }) => id);
});
afterAll(() => api.close());

test('a note can be created, read, changed, expanded and deleted', async () => {
  const { sandbox } = api;
  const made = await sandbox.post('/notes', { customer, notes: 'Pays late', user: member });
  expect(made).toMatchObject({
    status: 201,
    body: { object: 'note', notes: 'Pays late', customer, invoice: null, user: member },
  });
  expect(missingFields('note', made.body)).toEqual([]);
  const one = `/notes/${made.body.id}`;
  expect((await sandbox.get(one)).body).toEqual(made.body);
  expect((await sandbox.get(`${one}?expand=customer`)).body.customer).toMatchObject({ id: customer, name: 'Noted' });
  expect((await sandbox.patch(one, { notes: 'Pays' })).body).toMatchObject({ notes: 'Pays', user: member });
  expect((await sandbox.patch(one, { user: null })).body).toMatchObject({ notes: 'Pays', user: null });
  expect(await sandbox.delete(one)).toMatchObject({ status: 204 });
  expect((await sandbox.get(one)).status).toBe(404);
});

test('customer_id and invoice_id are aliases of customer and invoice, and an invoice implies its customer', async () => {
  const { sandbox } = api;
  const both = { customer, customer_id: customer, invoice, invoice_id: invoice, user: null };
  expect(await sandbox.make('/notes', { invoice_id: invoice, notes: 'a' })).toMatchObject(both);
  expect(await sandbox.make('/notes', { invoice: { id: invoice }, notes: 'a' })).toMatchObject(both);
  const twice = { customer, customer_id: customer, invoice_id: invoice, invoice, notes: 'a' };
  expect(await sandbox.make('/notes', twice)).toMatchObject(both);
  expect(await sandbox.make('/notes', { customer_id: customer, notes: 'a' })).toMatchObject({
    customer,
    customer_id: customer,
    invoice: null,
    invoice_id: null,
  });
  const task = { name: 'Call', action: 'phone' };
  expect(await sandbox.make('/tasks', { customer_id: customer, ...task })).toMatchObject({
    customer,
    customer_id: customer,
  });
  const { body: note } = await sandbox.post('/notes?expand=customer,invoice', { invoice, notes: 'a' });
  expect(note).toMatchObject({
    customer: { id: customer },
    customer_id: customer,
    invoice: { id: invoice },
    invoice_id: invoice,
  });
  expect((await sandbox.get(`/notes/${note.id}`)).body).toMatchObject(both);
  expect((await sandbox.get(`/invoices/${invoice}/notes`)).body).toContainEqual(expect.objectContaining(both));
  const { body: told } = await sandbox.get(`/events?related_to=note,${note.id}`);
  expect(told[0].data.object).toMatchObject({ customer: { id: customer }, customer_id: customer, invoice_id: invoice });
});

test('notes are listed by customer, invoice and user, and below customers and invoices', async () => {
  const { sandbox } = api;
  const { id: own } = await sandbox.make('/customers', { name: 'Listed' });
  const { id: bill } = await sandbox.make('/invoices', { customer: own, items: [{ unit_cost: 5 }] });
  const write = async (body: object) => (await sandbox.make('/notes', { customer: own, ...body })).id;
  const [first, second] = [await write({ notes: 'one', user: member }), await write({ notes: 'two', invoice: bill })];
  const ids = async (path: string) => (await sandbox.get(path)).body.map(({ id }: { id: number }) => id);
  expect(await ids(`/notes?filter[customer]=${own}`)).toEqual([first, second]);
  expect(await ids(`/notes?filter[customer]=${own}&filter[user]=${member}`)).toEqual([first]);
  expect(await ids(`/notes?filter[invoice]=${bill}`)).toEqual([second]);
  expect(await ids(`/customers/${own}/notes?sort=id desc`)).toEqual([second, first]);
  expect(await ids(`/invoices/${bill}/notes`)).toEqual([second]);
  for (const path of ['/customers/999999/notes', '/invoices/999999/notes'])
    expect((await sandbox.get(path)).status).toBe(404);
});

test('creating, changing and deleting writes events with the whole customer', async () => {
  const { sandbox } = api;
  const { id } = await sandbox.make('/notes', { invoice, notes: 'before' });
  await sandbox.patch(`/notes/${id}`, { notes: 'after' });
  await sandbox.patch(`/notes/${id}`, { notes: 'after' });
  await sandbox.delete(`/notes/${id}`);
  const { body: events } = await sandbox.get(`/events?related_to=note,${id}`);
  const types = events.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['note.deleted', 'note.updated', 'note.created']);
  expect(events[1].data).toMatchObject({
    object: { notes: 'after', invoice, customer: { id: customer, name: 'Noted' } },
    previous: { notes: 'before' },
  });
  expect(Object.keys(events[1].data.previous)).toEqual(['notes']);
});

test.each([
  ['an empty body', () => ({}), 'notes', 'Notes missing'],
  ['neither customer nor invoice', () => ({ notes: 'a' }), 'customer', 'Customer missing: a note is about'],
  ['two customers', () => ({ notes: 'a', customer, customer_id: 99 }), 'customer_id', 'are aliases'],
  ['an unknown customer', () => ({ notes: 'a', customer: 999_999 }), 'customer', 'Customer was not found: 999999'],
  ['an unknown invoice', () => ({ notes: 'a', invoice: 999_999 }), 'invoice', 'Invoice was not found: 999999'],
  ['too many characters', () => ({ notes: 'x'.repeat(10_001), customer }), 'notes', 'at most 10000 characters'],
  ['an unknown user', () => ({ notes: 'a', customer, user: 999_999 }), 'user', 'User was not found: 999999'],
  ['a member of another business', () => ({ notes: 'a', customer, user: foreign }), 'user', 'User was not found'],
])('a note is refused: %s', async (_what, body, param, message) => {
  const answer = await api.sandbox.post('/notes', body());
  expect(answer).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
});

test('an invoice of another customer is refused', async () => {
  const { id } = await api.sandbox.make('/customers', { name: 'Other' });
  expect(await api.sandbox.post('/notes', { customer: id, invoice, notes: 'a' })).toMatchObject(
    refused({ param: 'invoice', message: `Invoice ${invoice} does not belong to customer ${id}` }),
  );
});
