import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteExpired } from '../../../db/queries/processes/expired.ts';
import { connect } from '../../../workers/connection.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { sweepAt } from '../../support/sweeps.ts';
import { until } from '../../support/wait.ts';

/** Stored answers of requests with an Idempotency-Key: their content and retention, and the wait of a simultaneous repetition. */

const DAY = 86_400_000;
let now = Date.UTC(2027, 2, 1);
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(() => api.close());

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const replayed = (answer: { headers: Headers }) => answer.headers.get('Idempotent-Replayed');
const countOf = async (name: string) =>
  Number((await api.sandbox.get(`/customers?filter[name]=${name}`)).headers.get('X-Total-Count'));

test('the replay of a change does not repeat it: later changes stay', async () => {
  const path = `/customers/${(await api.sandbox.make('/customers', { name: 'A' })).id}`;
  const first = await api.sandbox.patch(path, { name: 'B' }, keyed('patch'));
  await api.sandbox.patch(path, { name: 'C' });
  const again = await api.sandbox.patch(path, { name: 'B' }, keyed('patch'));
  expect([again.status, again.body, replayed(again)]).toEqual([200, first.body, 'true']);
  expect((await api.sandbox.get(path)).body.name).toBe('C');
});

test('an action is replayed, even though a second one would be refused', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Void' })).id;
  const { id } = await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: 1 }] });
  const send = (headers = {}) => api.sandbox.post(`/invoices/${id}/void`, undefined, headers);
  const first = await send(keyed('void'));
  expect(await send(keyed('void'))).toMatchObject({ status: 200, body: first.body });
  expect((await send()).status).toBe(400);
});

test('a key and its answer are committed with the effect, or with the outcome of a charge', async () => {
  const { sandbox } = api;
  /** The transaction that wrote the current version of a row. */
  const writer = async (table: string, condition: string) => {
    const [row] = await api.em.fork().execute(`select xmin::text as writer from ${table} where ${condition}`);
    return row?.writer;
  };
  const ofKey = (key: string) => writer('idempotency', `key = '${key}' and status_code is not null`);
  const { id: customer } = await sandbox.make('/customers', { name: 'One' }, keyed('made'));
  const made = await ofKey('made');
  expect(made).toMatch(/^\d+$/);
  expect(await writer('customer', `id = ${customer}`)).toBe(made);
  expect(await writer('event', `subject_type = 'customer' and subject_id = '${customer}'`)).toBe(made);
  await sandbox.patch(`/customers/${customer}`, { notes: 'n' }, keyed('changed'));
  expect(await writer('customer', `id = ${customer}`)).toBe(await ofKey('changed'));
  expect(await ofKey('changed')).not.toBe(made);
  const { id: contact } = await sandbox.make(`/customers/${customer}/contacts`, { name: 'C' });
  await sandbox.request('DELETE', `/customers/${customer}/contacts/${contact}`, undefined, keyed('deleted'));
  expect(await writer('event', `type = 'contact.deleted'`)).toBe(await ofKey('deleted'));
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const charge = await sandbox.post('/charges', { customer, amount: 1, applied_to: [], ...card }, keyed('charged'));
  expect(await writer('payment', `id = ${charge.body.id}`)).toBe(await ofKey('charged'));
  expect(await writer('charge', `id = ${charge.body.charge.id}`)).toBe(await ofKey('charged'));
});

test('a key keeps its answer for 30 days; then the same request counts as a new one', async () => {
  const sql = await connect(api.databaseUrls.system);
  const make = () => api.sandbox.post('/customers', { name: 'Kept' }, keyed('month'));
  const first = await make();
  now += 30 * DAY - 1;
  await sweep();
  expect([(await make()).body, await countOf('Kept')]).toEqual([first.body, 1]);
  now += 1;
  await sweep();
  const second = await make();
  expect([second.status, replayed(second), await countOf('Kept')]).toEqual([201, null, 2]);
  for (const key of ['b', 'c', 'd']) await api.sandbox.post('/customers', { name: key }, keyed(key));
  const later = { now: new Date(now + 31 * DAY), limit: 2 };
  expect([await deleteExpired(sql, later), await deleteExpired(sql, later)]).toEqual([2, 2]);
  await sql.close();
});

/** Runs one sweep. */
function sweep(): Promise<number> {
  return sweepAt(api, now, { sweepProblemAge: Number.POSITIVE_INFINITY });
}

/** Simulates a first request with this key that does not end. `end` ends it without effect. */
async function hangingRequest(key: string): Promise<{ end: () => Promise<void> }> {
  const first = api.em.fork();
  await first.begin();
  const claim = `insert into idempotency (account_id, credential_id, key, fingerprint, sealed, created_at)
    select account_id, id, ?, 'other request', false, now() from api_key where account_id = ?`;
  await first.execute(claim, [key, api.sandbox.account.id]);
  return { end: () => first.rollback() };
}

test('an identical request waits for 20 s, and is then asked to retry', async () => {
  const first = await hangingRequest('stuck');
  const owner = await connect(api.databaseUrl);
  const real = performance.now;
  const twin = api.sandbox.post('/customers', { name: 'Stuck' }, keyed('stuck'));
  const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into idempotency%'
    and datname = current_database()`;
  try {
    await until(async () => (await owner.query(waits)).length > 0, { what: 'the twin to wait' });
    performance.now = () => real.call(performance) + 20_000;
    expect(await twin).toMatchObject(refused({ object: 'error', type: 'invalid_request' }, 429));
  } finally {
    performance.now = real;
    await first.end();
    await owner.close();
  }
  expect(await countOf('Stuck')).toBe(0);
  const made = await api.sandbox.post('/customers', { name: 'Stuck' }, keyed('stuck'));
  expect([made.status, replayed(made)]).toEqual([201, null]);
});
