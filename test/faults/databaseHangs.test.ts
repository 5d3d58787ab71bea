import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { asSystem } from '../../db/tenant.ts';
import { transactionOnce } from '../../db/transaction.ts';
import { connect } from '../../workers/connection.ts';
import { type ProxiedApi, startProxiedApi } from '../support/proxiedApi.ts';
import { until } from '../support/wait.ts';

/** An API whose database takes statements and connections and does not answer, as a stopped server does. */

let proxied: ProxiedApi;
let proxy: ProxiedApi['proxy'];
let database: ProxiedApi['database'];
let ask: ProxiedApi['ask'];
let create: ProxiedApi['create'];
let stored: ProxiedApi['stored'];

/** The URL of a database that hangs when it takes 2 s longer than this many seconds. */
const impatient = (url: string, seconds: string): string => {
  const changed = new URL(url);
  changed.searchParams.set('connect_timeout', seconds);
  return changed.href;
};

beforeAll(async () => {
  proxied = await startProxiedApi((urls) => ({
    ...urls,
    app: impatient(urls.app, '2'),
    system: impatient(urls.system, '2'),
  }));
  ({ proxy, database, ask, create, stored } = proxied);
});

afterAll(() => proxied.close());

afterEach(() => proxy.be('pass'));

test('requests are answered 503 while the database hangs, those in a queue at once, and succeed when it goes on', async () => {
  expect((await ask('GET', '/customers')).status).toBe(200); // leaves a connection that will not answer
  proxy.be('hang');
  const before = proxy.opened();
  const asked = Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0 ? ask('GET', '/customers') : create('Unheard'),
  );
  const statuses = (await Promise.all(asked)).map(({ status, body }) => `${status} ${body.code}`);
  expect(new Set(statuses)).toEqual(new Set(['503 service_unavailable']));
  expect(proxy.opened() - before).toBeLessThan(30); // not one after the other
  proxy.be('pass');
  await until(async () => (await ask('GET', '/customers')).status === 200, { what: 'the API to go on' });
  expect(await stored('Unheard')).toBe(0);
});

test('a COMMIT without an answer: a key tells the outcome, and without one nothing invites a repetition', async () => {
  proxy.loseAt({ text: 'commit\0', when: 'unanswered' });
  const key = { 'Idempotency-Key': 'unanswered' };
  expect(await create('Keyed', key)).toMatchObject({ status: 503, body: { code: 'outcome_unknown' } });
  const again = await create('Keyed', key);
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);

  proxy.loseAt({ text: 'commit\0', when: 'unanswered' });
  const lost = await create('Keyless');
  expect(lost).toMatchObject({ status: 500, body: { code: 'outcome_unknown' } });
  expect(lost.headers.get('Retry-After')).toBeNull();
  expect([await stored('Keyed'), await stored('Keyless')]).toEqual([1, 1]);
});

test('a transaction that gives its statements more time gets it', async () => {
  const slow = transactionOnce(database.em, async (em) => {
    await em.execute('set local statement_timeout = 60000');
    return em.execute("select 'done' as told from pg_sleep(5.5)");
  });
  expect(await slow).toEqual([{ told: 'done' }]);
});

test('a statement over all accounts has the ten seconds that PostgreSQL gives it', async () => {
  const slow = asSystem(() => database.em.fork().execute("select 'done' as told from pg_sleep(4.5)"));
  expect(await slow).toEqual([{ told: 'done' }]);
});

test('a dedicated connection of a worker is closed when a statement gets no answer, so that its work opens another', async () => {
  const connection = await connect(proxy.urls.system, 2000);
  proxy.be('hang');
  await expect(connection.query('select 1')).rejects.toThrow(/terminated/);
  expect(connection.isOpen).toBe(false);
});
