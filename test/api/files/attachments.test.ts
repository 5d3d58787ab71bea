import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { upload } from '../../support/upload.ts';

let api: TestApi;
let client: Client;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ada' })).id;
});
afterAll(() => api.close());

const fileOf = async (of: Client, name: string): Promise<number> =>
  (await upload(of, [{ name: 'file', filename: name, content: name }])).body.id;
const invoiceWith = (attachments: unknown) =>
  client.post('/invoices', { customer, items: [{ unit_cost: 5 }], attachments });
const attachmentsOf = (id: number) => client.get(`/invoices/${id}/attachments`);

test('an invoice carries each file once, in the requested order', async () => {
  const [first, second] = [await fileOf(client, 'a.txt'), await fileOf(client, 'b.txt')];
  const file = (await client.get(`/files/${second}`)).body;
  const { status, body: invoice } = await invoiceWith([file, first, second]);
  expect(status).toBe(201);
  const { body, headers } = await attachmentsOf(invoice.id);
  expect(body.map(({ file: { id } }: { file: { id: number } }) => id)).toEqual([second, first]);
  expect(body[0]).toMatchObject({ object: 'attachment', file });
  expect(missingFields('attachment', body[0])).toEqual([]);
  expect(headers.get('X-Total-Count')).toBe('2');
});

test('PATCH replaces attachments, also of a paid invoice: kept files keep theirs, omission keeps all, an empty list removes all', async () => {
  const [a, b, c] = [await fileOf(client, 'a.txt'), await fileOf(client, 'b.txt'), await fileOf(client, 'c.txt')];
  const { body: invoice } = await invoiceWith([a, b]);
  const path = `/invoices/${invoice.id}`;
  const shown = async () =>
    (await attachmentsOf(invoice.id)).body.map(({ id, file }: { id: number; file: { id: number } }) => [file.id, id]);
  const before = new Map<number, number>(await shown());
  await client.post('/payments', {
    customer,
    amount: 5,
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 5 }],
  });
  expect(await client.patch(path, { attachments: [c, b] })).toMatchObject({ status: 200, body: { status: 'paid' } });
  const [first, second] = await shown();
  expect([first?.[0], second]).toEqual([c, [b, before.get(b)]]);
  await client.patch(path, { notes: 'Thank you' });
  expect(await shown()).toEqual([first, second]);
  expect((await client.patch(path, { attachments: [999_999] })).body.param).toBe('attachments[0]');
  expect(await shown()).toEqual([first, second]);
  await client.patch(path, { attachments: [] });
  expect(await shown()).toEqual([]);
  expect((await client.delete(`/files/${a}`)).status).toBe(204);
});

test('an invoice without files has an empty list; an unknown invoice has none', async () => {
  for (const none of [undefined, null, []]) {
    const { body } = await invoiceWith(none);
    expect(await attachmentsOf(body.id)).toMatchObject({ status: 200, body: [] });
  }
  expect((await attachmentsOf(999_999)).status).toBe(404);
});

test('a file is deleted with the last document that carries it, a draft or an issued invoice', async () => {
  const file = await fileOf(client, 'kept.txt');
  const draft = await client.make('/invoices', { customer, draft: true, attachments: [file] });
  const refusal = refused({ message: `File is attached to invoice ${draft.id}: remove it there first` });
  expect(await client.delete(`/files/${file}`)).toMatchObject(refusal);
  expect((await client.delete(`/invoices/${draft.id}`)).status).toBe(204);
  const { body: issued } = await invoiceWith([file]);
  expect((await client.delete(`/files/${file}`)).body.message).toContain(`attached to invoice ${issued.number}`);
  await client.delete(`/invoices/${issued.id}`);
  expect((await client.delete(`/files/${file}`)).status).toBe(204);
});

test('a file that is attached and deleted simultaneously is either attached or deleted', async () => {
  const rounds = Array.from({ length: 12 }, async (_, n) => {
    const file = await fileOf(client, `race${n}.txt`);
    const [made, gone] = await Promise.all([invoiceWith([file]), client.delete(`/files/${file}`)]);
    return [made.status, gone.status].join();
  });
  for (const outcome of await Promise.all(rounds)) expect(['201,400', '400,204']).toContain(outcome);
});

test.each<[string, () => unknown, string, string | RegExp]>([
  [
    'a file of another account',
    () => fileOf(rival(), 'theirs.txt').then((id) => [id]),
    'attachments[0]',
    /^File was not found: \d+$/,
  ],
  [
    'one unknown file among several',
    () => fileOf(client, 'x').then((id) => [id, 999_999]),
    'attachments[1]',
    'File was not found: 999999',
  ],
  ['21 files', () => Array(21).fill(1), 'attachments', 'Attachments may have at most 20 elements'],
  ['a text in place of a list', () => 'contract.pdf', 'attachments', 'Attachments must be a list'],
  ['a name in place of an id', () => ['contract.pdf'], 'attachments[0]', 'attachments[0] must be an id'],
  ['null in place of an id', () => [null], 'attachments[0]', 'attachments[0] missing'],
])('an invoice is refused and not created because of its attachments: %s', async (_what, ids, param, message) => {
  const count = async () => (await client.get('/invoices')).headers.get('X-Total-Count');
  const before = await count();
  const expected = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(await invoiceWith(await ids())).toMatchObject(refused({ param, message: expected }));
  expect(await count()).toBe(before);
});

/** The live account of the same business also counts as another account. */
function rival(): Client {
  return api.live;
}

test('an invoice takes twenty files', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => fileOf(client, `n${n}.txt`)));
  const { body } = await invoiceWith(ids);
  expect((await attachmentsOf(body.id)).body).toHaveLength(20);
});

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});
