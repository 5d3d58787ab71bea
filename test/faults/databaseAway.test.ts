import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { send } from '../support/api.ts';
import { type ProxiedApi, startProxiedApi } from '../support/proxiedApi.ts';
import { LOCK_WAITS, until } from '../support/wait.ts';

/** An API whose database goes away: what its clients are told, what was stored, and that it goes on as soon as the database is back. */

let proxied: ProxiedApi;
let api: ProxiedApi['api'];
let proxy: ProxiedApi['proxy'];
let owner: ProxiedApi['owner'];
let origin: string;
let ask: ProxiedApi['ask'];
let create: ProxiedApi['create'];
let stored: ProxiedApi['stored'];
/** The address of an invoice's page. */
let page: string;

beforeAll(async () => {
  proxied = await startProxiedApi();
  ({ api, proxy, owner, origin, ask, create, stored } = proxied);
  const customer = await api.sandbox.make('/customers', { name: 'Payer' });
  const items = [{ name: 'Hour', quantity: 1, unit_cost: 10 }];
  const invoice = await api.sandbox.make('/invoices', { customer: customer.id, items });
  page = `${origin}${new URL(invoice.url).pathname}`;
});

afterAll(() => proxied.close());

afterEach(() => proxy.be('pass'));

const away = { status: 503, body: { object: 'error', type: 'api', code: 'service_unavailable' } };

test('requests are answered 503 with Retry-After while no connection can be opened, and succeed as soon as one can', async () => {
  proxy.be('refuse');
  const key = { 'Idempotency-Key': 'away' };
  const answers = [await ask('GET', '/customers'), await create('Away'), await create('Away', key)];
  for (const answer of answers) expect(answer).toMatchObject(away);
  expect(answers.map(({ headers }) => headers.get('Retry-After'))).toEqual(['5', '5', '5']);
  const shown = await send(page, { method: 'GET', headers: { 'Accept-Language': 'en' } });
  expect(shown).toMatchObject({ status: 503, body: expect.stringContaining('Please try again in a moment') });
  expect(shown.headers.get('Retry-After')).toBe('5');

  proxy.be('pass');
  expect((await create('Away', key)).status).toBe(201);
  expect((await send(page, { method: 'GET' })).status).toBe(200);
  expect(await stored('Away')).toBe(1);
});

test('OAuth answers as RFC 6749 asks while the database is away, and its pages in HTML', async () => {
  const token = () =>
    send(`${origin}/sandbox/oauth/access_token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=authorization_code&code=x&client_id=shop&client_secret=secret&redirect_uri=https://a.example',
    });
  const unavailable = { status: 503, body: { error: 'temporarily_unavailable' } };
  proxy.be('refuse');
  expect(await token()).toMatchObject(unavailable);
  const shown = await send(`${origin}/sandbox/oauth/authorize?client_id=shop`, { method: 'GET' });
  expect([shown.status, shown.headers.get('Content-Type')]).toEqual([503, expect.stringContaining('html')]);
  proxy.be('pass');
  proxy.loseAt({ text: 'oauth_application', when: 'before' }); // when the application is looked up
  const lost = await token();
  expect(lost).toMatchObject(unavailable);
  expect(lost.headers.get('Retry-After')).toBe('5');
  expect((await token()).status).toBe(401);
});

test('a session that the server ends before COMMIT has changed nothing: 503', async () => {
  await owner.query('begin');
  await owner.query('lock table customer in access exclusive mode');
  const asked = create('Ended');
  // A transaction sees the activity as it was at its first look, so another connection looks.
  const sql = (text: string) => api.em.fork().execute<unknown[]>(text);
  await until(async () => (await sql(LOCK_WAITS)).length === 1, { what: 'the request to wait for the lock' });
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  await owner.query('commit');
  expect(await asked).toMatchObject(away);
  expect(await stored('Ended')).toBe(0);
});

test('a server that takes no more connections: 503', async () => {
  const name = new URL(api.databaseUrl).pathname.slice(1);
  await owner.query(`alter database ${name} connection limit 0`);
  proxy.be('refuse'); // loses the connections that are open
  proxy.be('pass');
  expect(await ask('GET', '/customers')).toMatchObject(away);
  await owner.query(`alter database ${name} connection limit -1`);
  expect((await ask('GET', '/customers')).status).toBe(200);
});

const COMMIT = 'commit\0';

test.each(['before', 'after'] as const)(
  'a connection that is lost at COMMIT, %s it took effect: a key tells the outcome, and nothing is stored twice',
  async (when) => {
    const [name, key] = [`With key ${when}`, { 'Idempotency-Key': when }];
    proxy.loseAt({ text: COMMIT, when });
    const lost = await create(name, key);
    expect(lost).toMatchObject({ status: 503, body: { type: 'api', code: 'outcome_unknown' } });
    expect(lost.body.message).toMatch(/same Idempotency-Key/);
    expect(lost.headers.get('Retry-After')).toBe('5');
    expect(await stored(name)).toBe(when === 'after' ? 1 : 0);
    const again = await create(name, key);
    expect(again.status).toBe(201);
    expect(again.headers.get('Idempotent-Replayed')).toBe(when === 'after' ? 'true' : null);
    expect(await stored(name)).toBe(1);
  },
);

test('a write with an effect outside keeps its key when its COMMIT is lost: the repetition has no second effect', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  api.stripe.fail({ request: /^GET .*account$/, how: { answerHeld: held } });
  const body = { gateway: 'stripe', name: 'Lost', secret_key: 'sk_test_Lost2027', publishable_key: 'pk_test_Lost2027' };
  const post = () => ask('POST', '/merchant_accounts', { body, headers: { 'Idempotency-Key': 'outside' } });
  const asked = post();
  await until(() => api.stripe.asked.some(({ path }) => path === '/v1/account'), { what: 'the request to Stripe' });
  proxy.loseAt({ text: COMMIT, when: 'after' });
  release();
  expect(await asked).toMatchObject({ status: 503, body: { type: 'api', code: 'outcome_unknown' } });
  const again = await post();
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
});

test.each(['before', 'after'] as const)(
  'without a key, a connection that is lost at COMMIT, %s it took effect, invites no repetition',
  async (when) => {
    proxy.loseAt({ text: COMMIT, when });
    const lost = await create(`Without key ${when}`);
    expect(lost).toMatchObject({ status: 500, body: { type: 'api', code: 'outcome_unknown' } });
    expect(lost.body.message).toMatch(/look at what is stored/);
    expect(lost.headers.get('Retry-After')).toBeNull();
    expect(await stored(`Without key ${when}`)).toBe(when === 'after' ? 1 : 0);
  },
);
