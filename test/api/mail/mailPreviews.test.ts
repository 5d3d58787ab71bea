import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { storedRows } from '../../support/dryRuns.ts';
import { colleague } from '../../support/people.ts';

/** A mail is previewed as it is then sent: to whom, under which subject, with which text. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  customer = (await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
  await api.sandbox.make(`/customers/${customer}/contacts`, { name: 'Bo', email: 'bo@example.com', primary: true });
});
afterAll(() => api.close());

const items = [{ name: 'Support hour', unit_cost: 120 }];
const objects: [string, () => object][] = [
  ['invoices', () => ({ customer, items })],
  ['estimates', () => ({ customer, items })],
  ['credit_notes', () => ({ customer, items })],
  ['payments', () => ({ customer, amount: 20, method: 'cash' })],
];

test.each(objects)('of %s', async (list, body) => {
  const { id } = await api.sandbox.make(`/${list}`, body());
  const path = `/${list}/${id}/emails`;
  const written = { subject: 'Hello <Ada>', message: 'As we agreed.' };
  for (const asked of [{}, written, { to: [{ name: 'Cy', email: 'cy@example.com' }] }]) {
    const before = await storedRows(api.em);
    const preview = successBody(await api.sandbox.post(`${path}/preview`, asked));
    expect(await storedRows(api.em)).toEqual(before);
    const sent = successBody(await api.sandbox.post(path, asked));
    expect(preview.to.map(({ email }: { email: string }) => email)).toEqual(
      sent.map(({ email }: { email: string }) => email),
    );
    expect(preview.subject).toBe(sent[0].subject);
    expect(preview.text).toContain(sent[0].message);
    expect(preview.html).not.toContain('<script');
  }
});

test('it refuses what the send refuses', async () => {
  const draft = await api.sandbox.make('/invoices', { customer, draft: true, items });
  const silent = (await api.sandbox.make('/customers', { name: 'No address' })).id;
  const unheard = await api.sandbox.make('/invoices', { customer: silent, items });
  for (const [id, body] of [
    [draft.id, {}],
    [unheard.id, {}],
    [unheard.id, { to: [{ email: 'nobody' }] }],
    [unheard.id, { to: [{ email: 'a@b.example' }], template: 'no_such_email' }],
    [999_999, {}],
  ]) {
    const answers = await Promise.all(
      [`/invoices/${id}/emails/preview`, `/invoices/${id}/emails`].map((path) => api.sandbox.post(path, body)),
    );
    const [preview, send] = answers.map(({ status, body: { code, param } }) => [status, code, param]);
    expect(preview).toEqual(send);
    expect(preview?.[0]).toBeGreaterThanOrEqual(400);
  }
});

/** Who may send each mail, and what else its preview needs. Null: writing an area includes reading it. */
const readers: [list: string, write: string, read: string | null][] = [
  ['invoices', 'documents.write', null],
  ['estimates', 'documents.write', null],
  ['credit_notes', 'documents.write', 'corrections.read'],
  ['payments', 'documents.write', 'payments.read'],
  ['customers', 'customers.write', null],
];

test.each(readers)('of %s with only %s needs %s', async (list, write, read) => {
  const body = objects.find(([name]) => name === list)?.[1]();
  const id = body ? (await api.sandbox.make(`/${list}`, body)).id : customer;
  const preview = async (role: string, permissions: string[]) => {
    await api.live.make('/roles', { id: role, name: role, permissions });
    const { client } = await colleague(api, api.sandbox, { role });
    return client.post(`/${list}/${id}/emails/preview`, {});
  };
  const message = `The preview needs the permission ${read}`;
  const refusal = { status: 403, body: { code: 'permission_missing', message } };
  const sender = await preview(`sender-of-${list}`, [write]);
  expect(sender).toMatchObject(read ? refusal : { status: 200 });
  expect(sender.body.param ?? null).toBeNull(); // no parameter can mend it
  if (read) expect(await preview(`clerk-of-${list}`, [write, read])).toMatchObject({ status: 200 });
});
