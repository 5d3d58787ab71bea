import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { databaseUrls, newLogins, withoutLogin } from '../../adapters/databaseLogins.ts';
import { createServer } from '../../api/server.ts';
import { buildDeps, type Deps } from '../../bin/deps.ts';
import { explainFailure } from '../../bin/explainFailure.ts';
import { migrateOrCheck, runMigrate } from '../../bin/migrate.ts';
import { rightsGranted, watchRights } from '../../bin/roles/rightsWatch.ts';
import { createClient } from '../../client/index.ts';
import { openDatabase } from '../../db/database.ts';
import { grantLogins } from '../../db/logins.ts';
import { betweenLocks } from '../../db/migrate.ts';
import { createReadiness } from '../../db/readiness.ts';
import { asSystem, LIMITED_ROLE, SYSTEM_ROLE, withAccount } from '../../db/tenant.ts';
import { fromRun } from '../support/environment.ts';
import { testConfig } from '../support/product.ts';
import { openUnlimited } from '../support/unlimited.ts';
import { until } from '../support/wait.ts';

/** The owner of a managed database. It may create roles but is not a superuser. */
const owner = `owner_${randomBytes(4).toString('hex')}`;
const key = randomBytes(32);
const url = Object.assign(new URL(fromRun('POSTGRES_URL')), {
  username: owner,
  password: 'of-the-owner',
  pathname: `/${owner}`,
}).href;

const configOf = (databaseUrl: string, encryptionKey: Buffer = key) =>
  testConfig({ DATABASE_URL: databaseUrl, PERENNIAL_ENCRYPTION_KEY: encryptionKey.toString('base64') });

async function run(databaseUrl: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rows: unknown[] = [];
  try {
    for (const statement of statements) rows.push(...(await client.query(statement)).rows);
    return rows;
  } finally {
    await client.end();
  }
}

/** The error message for the operator. */
const refusal = (work: Promise<unknown>) => work.then(() => 'it works', explainFailure);

let deps: Deps;
const accounts: number[] = [];

/** Creates two businesses with an invoice each, through an API that does not have the owner's password. */
beforeAll(async () => {
  await run(
    fromRun('POSTGRES_URL'),
    `create role ${owner} login createrole nosuperuser password 'of-the-owner'`,
    `create database ${owner} owner ${owner}`,
    `revoke all on database ${owner} from public`,
  );
  expect(await refusal(runMigrate(configOf(url)))).toContain(
    `grant ${SYSTEM_ROLE}, ${LIMITED_ROLE} to <owner> with admin option`,
  );
  await run(fromRun('POSTGRES_URL'), `grant ${SYSTEM_ROLE}, ${LIMITED_ROLE} to ${owner} with admin option`);
  await runMigrate(configOf(url));
  await runMigrate(configOf(url));
  deps = await buildDeps(configOf(withoutLogin(url)));
  const server = createServer({
    ...deps,
    testChallenges: deps.testGateway.challenges,
    publicUrl: 'http://localhost',
    poke: () => undefined,
  });
  const port = await server.listen(0, '127.0.0.1');
  const everything = openDatabase({
    urls: { ...databaseUrls(url, key), system: url },
    poolSize: 1,
    tenant: 'system',
  });
  for (const name of ['Ours', 'Theirs']) {
    const { sandbox, sandboxKey } = await openUnlimited(everything.em, name, new Date());
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}/sandbox/api`, apiKey: sandboxKey, retries: 0 });
    const customer = await client.post('/customers', { name: `Of ${name}` });
    await client.post('/invoices', { customer: customer.id, items: [{ name: 'Seat', unit_cost: 5 }] });
    accounts.push(sandbox.id);
  }
  await everything.close(true);
  await server.close();
});
afterAll(async () => {
  await deps.close();
  await run(fromRun('POSTGRES_URL'), `drop database ${owner} with (force)`);
});

const logins = Object.entries(databaseUrls(url, key)).map(([kind, each]) => ({ kind, user: new URL(each).username }));
const forbidden = [
  `set role ${owner}`,
  `set session authorization ${owner}`,
  'set row_security = off; select * from invoice',
  'alter table invoice disable row level security',
  'drop policy tenant on invoice',
  'alter policy tenant on invoice using (true)',
  'drop trigger ledger_entry_append_only on ledger_entry',
  'alter table ledger_entry disable trigger all',
  'set session_replication_role = replica',
  'update ledger_entry set amount = 0',
  'delete from ledger_entry',
  'truncate ledger_entry',
  'delete from mikro_orm_migrations',
  'delete from deployment',
  'truncate outbox',
  'select 1 from test_gateway.source',
  'create table mine ()',
  'create role mine',
];

test.each(forbidden)('neither the app login nor the system login may run: %s', async (statement) => {
  const denied = { code: '42501' };
  const bySystem = statement.startsWith('set row_security') ? 'drop table invoice' : statement; // the system login may see all rows anyway
  await expect(withAccount(accounts[0] ?? 0, () => deps.em.fork().execute(statement))).rejects.toMatchObject(denied);
  await expect(asSystem(() => deps.em.fork().execute(bySystem))).rejects.toMatchObject(denied);
});

test('API and worker read times in UTC, whatever time zone the database has', async () => {
  await run(
    url,
    `alter database ${owner} set timezone = 'Europe/Berlin'`,
    `alter database ${owner} set datestyle = 'German'`,
  );
  const { app, system, gateway } = databaseUrls(url, key);
  for (const login of [app, system, gateway])
    expect(await run(login, `select '2027-07-01T00:00:00Z'::timestamptz::text as time`)).toEqual([
      { time: '2027-07-01 00:00:00+00' },
    ]);
});

test("a session of the API cannot switch to a role that sees all accounts, and its statements see no other account's rows", async () => {
  const [ours = 0, theirs = 0] = accounts;
  const asOurs = (sql: string) => withAccount(ours, () => deps.em.fork().execute(sql));
  for (const role of [SYSTEM_ROLE, logins.find(({ kind }) => kind === 'system')?.user]) {
    await expect(asOurs(`set role "${role}"`)).rejects.toMatchObject({ code: '42501' });
  }
  for (const table of ['customer', 'invoice', 'line_item', 'ledger_entry', 'event']) {
    expect(await asOurs(`select distinct account_id as id from ${table}`)).toEqual([{ id: ours }]);
    expect(await asOurs(`select 1 from ${table} where account_id = ${theirs}`)).toEqual([]);
  }
  const both = await asSystem(() =>
    deps.em.fork().execute('select distinct account_id as id from invoice order by id'),
  );
  expect(both).toEqual([{ id: ours }, { id: theirs }]);
});

test('the logins own no tables and are no superusers, and the server stores only hashes of their passwords', async () => {
  for (const { user } of logins) {
    const [row] = await run(
      fromRun('POSTGRES_URL'),
      `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty, rolpassword as kept,
         (select count(*)::int from pg_class where relowner = pg_authid.oid) as owned from pg_authid where rolname = '${user}'`,
    );
    expect(row).toMatchObject({ mighty: false, owned: 0, kept: expect.stringMatching(/^SCRAM-SHA-256\$4096:/) });
  }
});

test('with another encryption key neither an API nor a migration starts', async () => {
  const other = configOf(url, randomBytes(32));
  expect(await refusal(buildDeps(other))).toMatch(
    /^PostgreSQL refuses the login: .* Run `migrate` with the current key/,
  );
  expect(await refusal(runMigrate(other))).toMatch(/encrypted with another key \(fingerprint \w{16}\)/);
  expect(await refusal(runMigrate(configOf(withoutLogin(url))))).toMatch(
    /^DATABASE_URL must contain the user and password of the database owner/,
  );
});

/** All rights in the database, as PostgreSQL lists them. */
const grants = async () =>
  run(url, `select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`);

test('`migrate` of an earlier version leaves a later database alone, and names what it does not know', async () => {
  const [{ user: app } = { user: '' }] = logins;
  await run(
    url,
    'create table later_thing (id int)',
    `grant select, insert on later_thing to "${app}"`,
    "insert into mikro_orm_migrations (name) values ('9000_later_thing')",
  );
  const before = await grants();
  const said: string[] = [];
  const spy = jest.spyOn(console, 'error').mockImplementation((line) => void said.push(String(line)));
  expect(await migrateOrCheck(configOf(url), [])).toBe(0);
  spy.mockRestore();
  expect(said.join()).toMatch(/later version .* 9000_later_thing.* Nothing has been changed/);
  expect(await grants()).toEqual(before);
  const keys = newLogins(key);
  await expect(grantLogins(url, [keys])).rejects.toThrow('9000_later_thing'); // also if it came between the two steps
  expect(await grants()).toEqual(before);
  expect(await createReadiness(deps.em)()).toBeNull(); // this version runs on it
  await run(url, 'drop table later_thing', "delete from mikro_orm_migrations where name = '9000_later_thing'");
});

test('a change that cannot lock its table is tried again, and whoever holds the table is named as far as the owner sees it', async () => {
  const holder = new pg.Client({ connectionString: databaseUrls(url, key).app });
  await holder.connect();
  await holder.query('begin; select from invoice limit 1');
  const change = () =>
    run(
      url,
      "set lock_timeout = '50ms'",
      'alter table invoice add column tried int',
      'alter table invoice drop column tried',
    );
  const named: string[] = [];
  const patience = { tries: 2, pauseMilliseconds: 1, onLocked: (text: string) => named.push(text) };
  const asking = async (asked: string) => {
    const query = (sql: string) => run(asked, sql) as Promise<Record<string, unknown>[]>;
    return refusal(betweenLocks(patience, query, change));
  };
  const app = new URL(databaseUrls(url, key).app).username;
  expect(await asking(url)).toMatch(/^Tables stayed locked for 2 tries. .* End it, then run `migrate` again/);
  expect(named.pop()).toMatch(
    new RegExp(`that of ${app}, process \\d+, which has locks on invoice.* grant pg_read_all_stats to it`),
  );
  const superuser = new URL(fromRun('POSTGRES_URL'));
  superuser.pathname = `/${owner}`;
  await asking(superuser.href);
  expect(named.pop()).toMatch(new RegExp(`^The oldest other transaction is that of ${app}.* open since \\d\\d:`));
  await holder.end();
  expect(await asking(url)).toBe('it works');
});

test('a process without its rights is not ready, and a running one counts and logs what is missing', async () => {
  const [{ user: app } = { user: '' }] = logins;
  const system = logins.find(({ kind }) => kind === 'system')?.user;
  const running = createReadiness(deps.em);
  expect(await running()).toBeNull();
  const logged: unknown[] = [];
  const watch = watchRights({ ...deps, log: { error: (what) => logged.push(what), warn: () => undefined } }, 20);
  const missing = async () =>
    /^perennial_database_rights_missing (\d+)$/m.exec(await deps.metrics.registry.metrics())?.[1];
  await until(async () => (await missing()) === '0', { what: 'the first look' });
  await run(url, `revoke insert on invoice from "${app}"`, `revoke update (twin_id) on account from "${system}"`);
  expect(await createReadiness(deps.em)()).toBe('logins of the database lack rights: run `migrate`');
  expect(await running()).toBeNull(); // it goes on with what it may do
  await until(async () => (await missing()) === '2', { what: 'the missing rights to be counted' });
  expect(logged.at(-1)).toEqual({ rights: ['insert on invoice', 'update on account (twin_id)'] });
  let mayWork = false;
  const granted = rightsGranted(deps).then(() => {
    mayWork = true;
  });
  await until(async () => (await missing()) === '2', { what: 'another look' });
  expect(mayWork).toBe(false); // a worker that starts now waits
  await runMigrate(configOf(url));
  await granted;
  expect(await createReadiness(deps.em)()).toBeNull();
  await until(async () => (await missing()) === '0', { what: 'the rights to be there again' });
  await watch.close();
});

test('a new encryption key creates new logins and removes those of the lost key', async () => {
  const other = randomBytes(32);
  await run(url, 'delete from deployment');
  await runMigrate(configOf(url, other));
  await (await buildDeps(configOf(withoutLogin(url), other))).close();
  expect(await refusal(buildDeps(configOf(url)))).toContain('PostgreSQL refuses the login');
  for (const { user } of logins) {
    expect(await run(url, `select 1 from pg_roles where rolname = '${user}'`)).toEqual([]);
  }
});
