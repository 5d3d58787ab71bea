import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const countOf = async (name: string) =>
  Number((await api.sandbox.get(`/customers?filter[name]=${name}`)).headers.get('X-Total-Count'));

test('a repeated request has one effect and the same answer', async () => {
  const make = () => api.sandbox.post('/customers', { name: 'Once', metadata: { a: '1', b: '2' } }, keyed('once'));
  const first = await make();
  expect(first.headers.get('Idempotent-Replayed')).toBeNull();
  const again = await make();
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  const reordered = await api.sandbox.post('/customers', { metadata: { b: '2', a: '1' }, name: 'Once' }, keyed('once'));
  expect(reordered.body).toEqual(first.body);
  expect(await countOf('Once')).toBe(1);
});

test('simultaneous identical requests have one effect and the same answer', async () => {
  const twins = await Promise.all(
    Array.from({ length: 8 }, () => api.sandbox.post('/customers', { name: 'Twin' }, keyed('twin'))),
  );
  expect(twins.map((answer) => answer.status)).toEqual(Array(8).fill(201));
  for (const twin of twins) expect(twin.body).toEqual(twins[0]?.body);
  expect(twins.filter((twin) => twin.headers.get('Idempotent-Replayed') === null)).toHaveLength(1);
  expect(await countOf('Twin')).toBe(1);
});

test('the same key with another body, path or method is refused', async () => {
  const { body } = await api.sandbox.post('/customers', { name: 'A' }, keyed('key'));
  for (const other of [
    api.sandbox.post('/customers', { name: 'B' }, keyed('key')),
    api.sandbox.post('/customers?include=x', { name: 'A' }, keyed('key')),
    api.sandbox.post('/items', { name: 'A' }, keyed('key')),
    api.sandbox.patch(`/customers/${body.id}`, { name: 'A' }, keyed('key')),
  ]) {
    expect(await other).toMatchObject(refused({ param: 'Idempotency-Key' }));
  }
});

test('the comparison of bodies compares numbers by value and texts literally', async () => {
  const { body: customer } = await api.sandbox.post('/customers', { name: 'Forms' });
  const post = (amount: string, id = String(customer.id)) =>
    api.sandbox.post('/payments', `{"customer":${id},"amount":${amount}}`, keyed('forms'));
  const first = await post('70');
  expect(first.status).toBe(201);
  for (const amount of ['70.0', '70.00', '7e1', '0.7E+2', '700e-1']) {
    expect([amount, (await post(amount, `${customer.id}.0`)).body]).toEqual([amount, first.body]);
  }
  for (const amount of ['70.01', '7', '700', '-70', '"70"']) {
    expect([amount, (await post(amount)).status]).toEqual([amount, 400]);
  }
  const form = { ...keyed('text'), 'Content-Type': 'application/x-www-form-urlencoded' };
  const named = (name: string) => api.sandbox.post('/customers', `name=${name}`, form);
  expect([(await named('7')).status, (await named('7.0')).status]).toEqual([201, 400]);
  expect((await api.sandbox.post('/customers', { name: '7' }, keyed('text'))).status).toBe(201);
});

test('no body, null, "" and {} are the same body for an action', async () => {
  const { body: customer } = await api.sandbox.post('/customers', { name: 'Nothing' });
  const { body: invoice } = await api.sandbox.post('/invoices', { customer: customer.id, items: [{ unit_cost: 1 }] });
  const headers = { ...keyed('nothing'), 'Content-Type': 'application/json' };
  const replays: (string | null)[] = [];
  for (const body of ['', 'null', '""', '{}', '5']) {
    const answer = await api.sandbox.post(`/invoices/${invoice.id}/void`, body, headers);
    expect(answer).toMatchObject({ status: 200, body: { status: 'voided' } });
    replays.push(answer.headers.get('Idempotent-Replayed'));
  }
  expect(replays).toEqual([null, 'true', 'true', 'true', 'true']);
});

test('a refused request is not stored: its key is free for the corrected request', async () => {
  const refusal = await api.sandbox.post('/invoices', { customer: 4711 }, keyed('corrected'));
  expect(refusal).toMatchObject(refused({ param: 'customer' }));
  expect((await api.sandbox.post('/customers', { name: 'Corrected' }, keyed('corrected'))).status).toBe(201);
});

test('changes and deletions are replayed', async () => {
  await api.sandbox.post('/items', { id: 'gone', name: 'Gone' });
  const remove = () => api.sandbox.request('DELETE', '/items/gone', undefined, keyed('delete'));
  expect((await remove()).status).toBe(204);
  const again = await remove();
  expect(again).toMatchObject({ status: 204, body: null });
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
});

test('each credential has its own keys', async () => {
  const { body } = await api.sandbox.post('/api_keys', { name: 'second' });
  const make = (key: string) =>
    send(`${api.sandbox.url}/customers`, {
      method: 'POST',
      body: { name: 'Mine' },
      headers: { ...basic(key), ...keyed('own') },
    });
  const [one, other] = [await make(api.sandbox.key), await make(body.key)];
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(one.body.id).not.toBe(other.body.id);
});

test.each(['', 'x'.repeat(256)])('a key of %# is refused', async (key) => {
  expect(await api.sandbox.post('/customers', { name: 'a' }, keyed(key))).toMatchObject(
    refused({ param: 'Idempotency-Key' }),
  );
});

test('an identical request that waits longer than the lock timeout keeps waiting and gets the same answer', async () => {
  const { em, sandbox } = api;
  const first = em.fork();
  await first.begin();
  const claim = `insert into idempotency (account_id, credential_id, key, fingerprint, sealed, created_at)
    select account_id, id, 'slow', 'other request', false, now() from api_key where account_id = ?`;
  await first.execute(claim, [sandbox.account.id]);
  const before = api.queries.length;
  const waiting = sandbox.post('/customers', { name: 'Waited' }, keyed('slow'));
  const hasTimedOut = () => api.queries.slice(before).some((query) => query.includes('insert into idempotency'));
  await until(hasTimedOut, { what: 'the lock timeout of 3 s' });
  await first.rollback();
  expect((await waiting).status).toBe(201);
});
