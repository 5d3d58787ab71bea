import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { areaOfSubject } from '../../../api/resources/timelines.ts';
import { customerProcesses } from '../../../billing/processes.ts';
import { subjectTables } from '../../../db/schema/customerTables.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';
import { type Colleague, colleague } from '../../support/people.ts';

/** A timeline tells nothing that its reader may not read otherwise: neither objects of other areas, nor addresses of colleagues. */

let api: TestApi;
let writer: Colleague;
let customer: number;
let invoice: number;
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  for (const [id, permissions] of [
    ['greeter', ['customers.read']],
    ['collector', ['customers.read', 'collections.read']],
    ['biller', ['customers.read', 'documents.read']],
  ] as const)
    await api.live.make('/roles', { id, name: id, permissions });
  writer = await colleague(api, sandbox, { role: 'account_manager', email: 'secret@acme.example' });
  customer = (await writer.client.make('/customers', { name: 'Ada' })).id;
  successBody(await writer.client.patch(`/customers/${customer}`, { owner: writer.id }));
  await writer.client.make('/notes', { customer, notes: 'Likes tea' });
  const task = { customer, name: 'Ask for papers', action: 'phone', complete: true, outcome: 'Is insolvent' };
  await writer.client.make('/tasks', { ...task, user_id: writer.id });
  invoice = (await writer.client.make('/invoices', { customer, items: [{ name: 'Hour', unit_cost: 80 }] })).id;
  const to = [{ name: 'Ada', email: 'ada@private.example' }];
  successBody(await writer.client.post(`/invoices/${invoice}/emails`, { to }));
  successBody(await writer.client.post(`/customers/${customer}/emails`, { to }));
  await writer.client.make('/payments', { customer, amount: 5, method: 'check' });
});
afterAll(() => api.close());

interface Entry {
  what: string;
  why: string;
  subject: { object: string };
}

async function told(client: Client): Promise<{ text: string; objects: string[] }> {
  const entries: Entry[] = successBody(await client.get(`/customers/${customer}/timeline?per_page=100`));
  const objects = [...new Set(entries.map(({ subject }) => subject.object))].sort();
  return { text: JSON.stringify(entries), objects };
}

const as = async (role: string) => (await colleague(api, api.sandbox, { role })).client;

test('each type of object that timelines show has an area', () => {
  const types = [...subjectTables, ...customerProcesses.map(({ process }) => process), 'customer'];
  expect(types.filter((type) => !(type in areaOfSubject))).toEqual([]);
});

test('who may read everything sees tasks, mails and payments, and colleagues by their addresses', async () => {
  const { text, objects } = await told(await as('administrator'));
  expect(objects).toEqual(['customer', 'invoice', 'note', 'payment', 'task']);
  for (const part of ['Is insolvent', 'ada@private.example', 'secret@acme.example', 'Likes tea'])
    expect(text).toContain(part);
});

test('who may read customers only sees neither tasks nor mails nor documents, and no addresses of colleagues', async () => {
  const { text, objects } = await told(await as('greeter'));
  expect(objects).toEqual(['customer', 'note']);
  expect(text).toContain('Likes tea');
  for (const part of ['Is insolvent', 'Ask for papers', 'private.example', 'secret@acme.example'])
    expect(text).not.toContain(part);
  expect(text).toContain(`owner: user ${writer.id}`);
});

test('collectors see tasks without mails, and billers mails without tasks', async () => {
  const [collector, biller] = [await told(await as('collector')), await told(await as('biller'))];
  expect(collector.objects).toEqual(['customer', 'note', 'task']);
  expect(collector.text).toContain('Is insolvent');
  expect(collector.text).not.toContain('private.example');
  expect(biller.objects).toEqual(['customer', 'invoice', 'note']);
  expect(biller.text).toContain('ada@private.example');
  expect(biller.text).not.toContain('Is insolvent');
});

test('a member who sees only its own customers reads their timeline without addresses of colleagues', async () => {
  const limited = await colleague(api, api.sandbox, { role: 'account_manager', isLimited: true });
  expect(await limited.client.get(`/customers/${customer}/timeline`)).toMatchObject({ status: 404 });
  successBody(await writer.client.patch(`/customers/${customer}`, { owner: limited.id }));
  const { text, objects } = await told(limited.client);
  expect(objects).toEqual(['customer', 'invoice', 'note', 'payment', 'task']);
  expect(text).toContain(`before user ${writer.id}`);
  expect(text).not.toContain('secret@acme.example');
});
