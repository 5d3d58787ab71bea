import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../support/api.ts';

/** Sends of documents that are no invoices. */

let api: TestApi;
let client: Client;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  customer = (await client.post('/customers', { name: 'Ada', email: 'ada@example.com' })).body.id;
});
afterAll(() => api.close());

const make = async (path: string, fields = {}) =>
  (await client.post(path, { customer, items: [{ name: 'Hour', quantity: 2, unit_cost: 120 }], ...fields })).body;
const textOf = async ({ id }: { id: string }): Promise<string> =>
  (await api.em.fork().execute('select text from email where id = ?', [id]))[0]?.text;

test('an estimate is sent with what it asks for, and is sent from then on', async () => {
  // 2 x 120.00 = 240.00
  const dates = { date: 1_797_000_000, expiration_date: 1_798_700_000 };
  const estimate = await make('/estimates', { deposit: 100, purchase_order: 'PO-7', ...dates });
  const path = `/estimates/${estimate.id}`;
  const { status, body } = await client.post(`${path}/emails`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { object: 'email', email: 'ada@example.com', template: 'estimate_email', state: 'queued' },
  ]);
  expect(body[0].subject).toBe(`Estimate ${estimate.number} from Acme`);
  expect(body[0].message).toBe(
    'Hello Ada, this is your estimate. It holds until December 31, 2026. We ask for a deposit of $100.00.',
  );
  const text = await textOf(body[0]);
  for (const line of [
    /Date +December 11, 2026/,
    /Holds until +December 31, 2026/,
    /Purchase order +PO-7/,
    /Total +\$240\.00/,
    /Deposit +\$100\.00/,
  ])
    expect(text).toMatch(line);
  expect(text).toContain(estimate.url);
  expect((await client.get(path)).body.status).toBe('sent');
  await client.post(`${path}/emails`, {});
  const events = (await client.get(`/events?related_to=estimate,${estimate.id}`)).body;
  expect(events.map(({ type }: { type: string }) => type).sort()).toEqual(['estimate.created', 'estimate.updated']);
});

test.each([
  ['a draft', { draft: true }, 'a draft: issue it first'],
  ['voided', {}, 'voided'],
])('an estimate that is %s is not sent, nor by the template of another document', async (what, fields, why) => {
  const { id } = await make('/estimates', fields);
  const wrong = await client.post(`/estimates/${id}/emails`, { template: 'new_invoice_email' });
  if (what === 'voided') {
    expect(wrong.body).toMatchObject({
      param: 'template',
      message: 'Template must be one of estimate_email: new_invoice_email',
    });
    await client.post(`/estimates/${id}/void`);
  }
  const refused = { status: 400, body: { type: 'invalid_request', message: `Estimate is ${why}` } };
  expect(await client.post(`/estimates/${id}/emails`, {})).toMatchObject(refused);
});

test('nothing of this was a fault of ours', () => {
  expect(api.faults).toEqual([]);
});
