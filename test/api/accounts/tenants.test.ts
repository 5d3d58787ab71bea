import { mock } from 'node:test';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createServer } from '../../../api/server.ts';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { findCredential } from '../../../db/queries/accounts/apiKeys.ts';
import { rights } from '../../../db/rights.ts';
import { Account } from '../../../db/schema/account.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { asSystem, CONFINE, LIMITED_ROLE, withAccount } from '../../../db/tenant.ts';
import { basic, type Client, send, startApi, type TestApi } from '../../support/api.ts';
import { TEST_LOGINS } from '../../support/database.ts';

let api: TestApi;
let orm: Database;
let ours: Client;
let theirs: Client;
beforeAll(async () => {
  api = await startApi();
  [ours, theirs] = [api.sandbox, (await api.open('Others')).sandbox];
  for (const client of [ours, theirs]) {
    const { id } = await client.make('/customers', { name: `Of ${client.account.name}` });
    await client.post('/invoices', { customer: id, items: [{ unit_cost: 5 }] });
  }
  orm = openDatabase({ urls: api.databaseUrls, poolSize: 2 });
});
afterAll(async () => {
  await orm.close(true);
  await api.close();
});

const idOf = (client: Client) => client.account.id;
const accountsOf = (rows: { accountId: number }[]) => [...new Set(rows.map((row) => row.accountId))];
const everyCustomer = (em: EntityManager) => em.fork().findAll(Customer);

/** Tables of all schemas except PostgreSQL's own. */
const TABLES = `pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname !~ '^(pg_|information_schema$)'`;

test('every table with rows of accounts has a policy, except those that no session of the product may touch', async () => {
  const tables = await api.em.fork().execute<{ table: string; secured: boolean; policies: string }[]>(
    `select n.nspname || '.' || c.relname as "table", c.relrowsecurity as secured,
            (select string_agg(polname, ',' order by polname) from pg_policy where polrelid = c.oid) as policies
     from ${TABLES} where c.relkind in ('r', 'p') and (c.relname = 'account'
       or exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id'))`,
  );
  const walled = tables.filter(
    ({ secured, policies }) =>
      secured &&
      policies
        .split(',')
        .filter((name) => !/^(owner|twin)/.test(name))
        .join() === 'system,tenant',
  );
  const without = tables.filter((one) => !walled.includes(one)).map(({ table }) => table);
  expect(walled.length).toBeGreaterThan(20);
  const ofTwins = tables.filter(({ policies }) => policies?.split(',').includes('twin')).map(({ table }) => table);
  expect(ofTwins.toSorted()).toEqual(['public.audit_log', 'public.audit_queue']); // a sandbox adds rows of its live account
  expect(without.toSorted()).toEqual([
    'audit.link_rest', // parts of the audit log, to which no login has a right
    'audit.log_rest',
    'test_gateway.event',
    'test_gateway.operation',
    'test_gateway.source',
  ]);
});

test('functions run with the rights of their caller, so policies apply in them, except for the listed ones', async () => {
  const functions = await api.em.fork().execute<{ name: string; prosecdef: boolean }[]>(
    `select n.nspname || '.' || p.proname as name, p.prosecdef from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname !~ '^(pg_|information_schema$)'`,
  );
  expect(functions.map(({ name }) => name)).toContain('routine.delivery_made');
  const ofOwner = functions.filter(({ prosecdef }) => prosecdef).map(({ name }) => name);
  expect(ofOwner.toSorted()).toEqual([
    'lookup.count_act', // in the account of the session, in rows that are not linked yet
    'lookup.customers_of_names', // in the account of the session, by indexes that a policy would forbid
    'lookup.end_audit_months', // of at least two years ago
    'lookup.holder_of_key', // before authentication there is no account
    'lookup.holder_of_session',
    'lookup.holder_of_token',
    'lookup.open_audit_months', // empty ones
    'lookup.open_invoices_of_balances', // as the first
    'public.oauth_application_renamed',
  ]);
});

/** Splits privileges: `select, update (a, b)` becomes `select`, `update a`, `update b`. */
function privilegesIn(text: string): string[] {
  return text.split(/, (?![^(]*\))/).flatMap((one) => {
    const [, privilege, columns] = /^(\w+) \((.*)\)$/.exec(one) ?? [];
    return columns === undefined ? [one] : columns.split(', ').map((column) => `${privilege} ${column}`);
  });
}

test('each login has exactly the listed rights on each table, and no other login has any', async () => {
  const granted = await api.em.fork().execute<{ table: string; grantee: string; privilege: string }[]>(
    `select n.nspname || '.' || c.relname as "table", coalesce(r.rolname, 'public') as grantee, lower(acl.privilege) as privilege
     from ${TABLES} cross join lateral (
       select grantee, privilege_type as privilege from aclexplode(c.relacl)
       union all select x.grantee, x.privilege_type || ' ' || a.attname from pg_attribute a, aclexplode(a.attacl) x where a.attrelid = c.oid
     ) acl left join pg_roles r on r.oid = acl.grantee where c.relkind <> 'S' and acl.grantee <> c.relowner`,
  );
  const { app, system, gateway } = TEST_LOGINS;
  const whole = 'select, insert, update';
  const auditedTables = ['dispute', 'event', 'operation'];
  const gatewayRight = (table: string, grantee: string, may: string) => ({
    table: `test_gateway.${table}`,
    grantee,
    may,
  });
  const wanted = [
    ...Object.entries(rights).flatMap(([table, may]) => [
      { table: `public.${table}`, grantee: app.user, may: may.app },
      { table: `public.${table}`, grantee: LIMITED_ROLE, may: may.app },
      { table: `public.${table}`, grantee: system.user, may: may.system },
    ]),
    ...[...auditedTables, 'source'].map((table) => gatewayRight(table, gateway.user, whole)),
    ...auditedTables.map((table) => gatewayRight(table, system.user, 'select')),
  ].filter(({ may }) => may !== '');
  const wordsOf = (table: string, grantee: string, privilege: string) => `${grantee} ${table}: ${privilege}`;
  expect(granted.map((one) => wordsOf(one.table, one.grantee, one.privilege)).toSorted()).toEqual(
    wanted
      .flatMap(({ table, grantee, may }) => privilegesIn(may).map((one) => wordsOf(table, grantee, one)))
      .toSorted(),
  );
  const tables = await api.em
    .fork()
    .execute<{ name: string }[]>(
      `select c.relname as name from ${TABLES} where c.relkind in ('r', 'p') and n.nspname = 'public'`,
    );
  expect(Object.keys(rights).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test.each([
  ["update deployment set key_fingerprint = ''", 'app'],
  ["update event set type = 'invoice.paid'", 'app'],
  ["update api_key set scope = 'read_write'", 'app'],
  ['delete from account', 'app'],
  ['select 1 from oauth_token', 'app'],
  ['select 1 from test_gateway.source', 'app'],
  ["insert into test_gateway.operation (key) values ('x')", 'system'],
  ['update invoice set total = 0', 'system'],
  ['delete from payment', 'system'],
])('"%s" is not allowed to the %s login', async (statement, login) => {
  const run = () => orm.em.fork().execute(statement);
  const refused = login === 'app' ? withAccount(idOf(ours), run) : asSystem(run);
  await expect(refused).rejects.toMatchObject({ code: '42501' });
});

test('a statement that omits the account finds only rows of the account at work', async () => {
  for (const client of [ours, theirs]) {
    await withAccount(idOf(client), async () => {
      expect(accountsOf(await everyCustomer(orm.em))).toEqual([idOf(client)]);
      const rows = await orm.em
        .fork()
        .execute<{ accountId: number }[]>('select account_id as "accountId" from invoice');
      expect(accountsOf(rows)).toEqual([idOf(client)]);
      const inside = await orm.em.fork().transactional((em) => em.findAll(Invoice));
      expect(accountsOf(inside)).toEqual([idOf(client)]);
    });
  }
});

test('without an account a session sees no rows; the system sees all of them', async () => {
  expect(await everyCustomer(orm.em)).toEqual([]);
  expect(await orm.em.fork().execute('select 1 from event')).toEqual([]);
  const all = await asSystem(() => everyCustomer(orm.em));
  expect(accountsOf(all).toSorted()).toEqual([idOf(ours), idOf(theirs)].toSorted());
});

test('rows of another account can be neither written, changed, taken over nor given away', async () => {
  const other = idOf(theirs);
  await withAccount(idOf(ours), async () => {
    const run = (sql: string) => orm.em.fork().execute(sql);
    const foreign = `insert into numbering (account_id, series, prefix, next) values (${other}, 'x', 'X-', 1)`;
    await expect(run(foreign)).rejects.toMatchObject({ code: '42501' });
    await expect(run(`update numbering set account_id = ${other}`)).rejects.toMatchObject({ code: '42501' });
    expect(await run(`update customer set name = 'Taken' where account_id = ${other} returning 1`)).toEqual([]);
    expect(await run(`delete from task where account_id = ${other} returning 1`)).toEqual([]);
  });
  const names = (await asSystem(() => everyCustomer(orm.em))).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['Of Acme', 'Of Others']);
});

test('connections that serve several accounts never mix them', async () => {
  const reads = Array.from({ length: 60 }, async (_, n) => {
    const id = idOf(n % 3 === 0 ? ours : theirs);
    const found = await withAccount(id, () =>
      n % 2 === 0 ? everyCustomer(orm.em) : orm.em.fork().transactional((em) => em.findAll(Customer)),
    );
    return [accountsOf(found), [id]];
  });
  for (const [found, wanted] of await Promise.all(reads)) expect(found).toEqual(wanted);
});

test('a request continues with the connection that authenticated it, so no connection has to be told', async () => {
  const sent: { client: pg.Client; text: string }[] = [];
  const watched = openDatabase({ urls: api.databaseUrls, poolSize: 2 });
  const { query } = pg.Client.prototype;
  const listened = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    const [statement] = given;
    sent.push({ client: this, text: typeof statement === 'string' ? statement : Object(statement).text });
    return Reflect.apply(query, this, given);
  });
  const server = createServer({ ...api.deps, em: watched.em });
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const read = ({ key, account }: Client) =>
    send(`${origin}/sandbox/api/invoices?expand=customer`, { method: 'GET', headers: basic(key) }).then(({ body }) =>
      expect(body.map((invoice: { customer: { name: string } }) => invoice.customer.name)).toEqual([
        `Of ${account.name}`,
      ]),
    );
  // A new lease of the rate limit takes statements. None is needed here: the clock stands still, and a limit of 1000 leases 40 requests.
  const limits = { rate_limit: 1000, rate_limit_burst: 1000 };
  await api.em.fork().nativeUpdate(Account, { id: [idOf(ours), idOf(theirs)] }, { settings: limits });
  const stoppedAt = performance.now();
  const stopped = mock.method(performance, 'now', () => stoppedAt);
  for (const client of [ours, theirs]) await read(client); // takes the first lease of the rate limit and records the use of the key
  sent.length = 0;
  for (const client of [ours, theirs, ours, theirs]) await read(client);
  // Each account has four places, and requests that were just answered may still hold two: none waits and gives its connection back.
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 4 }, (_, n) => read(n % 2 ? ours : theirs)));
  const lookups = sent.filter(({ text }) => text.includes('lookup.'));
  expect(lookups).toHaveLength(44);
  // The server of the other tests has connections of its own, on which it gives its leases back meanwhile.
  const own = new Set(lookups.map(({ client }) => client));
  expect(sent.filter(({ client, text }) => own.has(client) && text === CONFINE)).toEqual([]);
  stopped.mock.restore();
  listened.mock.restore();
  await server.close();
  await watched.close(true);
});

test('a transaction that is rolled back leaves its connection confined', async () => {
  const failed = withAccount(idOf(ours), () =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select 1');
      throw new Error('rolled back');
    }),
  );
  await expect(failed).rejects.toThrow('rolled back');
  for (const client of [theirs, ours]) {
    expect(accountsOf(await withAccount(idOf(client), () => everyCustomer(orm.em)))).toEqual([idOf(client)]);
  }
});

test('work that looks up a key of another account goes on with its own rows', async () => {
  await withAccount(idOf(ours), async () => {
    const found = await findCredential(orm.em.fork(), hashSecret(theirs.key), new Date());
    expect(found?.account.id).toBe(idOf(theirs));
    expect(accountsOf(await everyCustomer(orm.em))).toEqual([idOf(ours)]);
  });
});

test('an account that a rolled back transaction looked up is not kept for its connection', async () => {
  const lookUp = (em: EntityManager) => findCredential(em, hashSecret(theirs.key), new Date());
  const failed = withAccount(idOf(ours), () =>
    orm.em.fork().transactional(async (em) => {
      await lookUp(em);
      throw new Error('rolled back');
    }),
  );
  await expect(failed).rejects.toThrow('rolled back');
  for (const client of [theirs, ours]) {
    const seen = await withAccount(idOf(client), () => everyCustomer(orm.em));
    expect(accountsOf(seen)).toEqual([idOf(client)]);
  }
});

test('a list by metadata, which is read without the policy, contains only rows of the account', async () => {
  for (const client of [ours, theirs]) await client.post('/customers', { name: 'Tagged', metadata: { tag: 'same' } });
  const { body } = await ours.get('/customers?metadata[tag]=same');
  expect(body).toHaveLength(1);
  const found = await withAccount(idOf(ours), () => everyCustomer(orm.em));
  expect(found.map(({ id }) => id)).toContain(body[0].id);
});
