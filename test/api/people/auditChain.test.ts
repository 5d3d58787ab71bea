import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findLogDrifts } from '../../../bin/auditLogCheck.ts';
import { ensureDeployment } from '../../../commands/accounts/deployments.ts';
import { auditSigner, linkActs } from '../../../commands/kernel/auditChain.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { basic, type Client, startApi, type TestApi } from '../../support/api.ts';
import { approveOn } from '../../support/payPage.ts';
import { sweepAt } from '../../support/sweeps.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

let api: TestApi;
let owner: Connection;
let system: Connection;
let shop: Client;
beforeAll(async () => {
  api = await startApi();
  await ensureDeployment(api.em.fork(), 'fingerprint', new Date());
  owner = await connect(api.databaseUrl);
  system = await connect(api.databaseUrls.system);
});
afterAll(async () => {
  await owner.close();
  await system.close();
  await api.close();
});

/** Links as the leading relay does. */
async function link(now = new Date()): Promise<number> {
  const sign = await auditSigner(system, api.deps.cipher);
  if (!sign) throw new Error('there is no deployment');
  return system.transaction(() => linkActs(system, sign, { now, limit: 500 }));
}

const drifts = () => findLogDrifts(api.databaseUrls.system, api.deps.cipher);
const objects = async () => (await drifts()).map(({ object }) => object);
const entries = async () =>
  (
    await owner.query<{ id: number }>('select id from audit_log where account_id = $1 order by id', [shop.account.id])
  ).map(({ id }) => id);

beforeEach(async () => {
  shop = (await api.open('Linked')).sandbox;
  for (const name of ['One', 'Two', 'Three', 'Four']) await shop.make('/customers', { name });
  await link();
});

test('a write goes on while the month of its row is opened', async () => {
  const at = new Date('2040-01-15T10:00:00Z');
  const later = await startApi({ systemNow: () => at });
  const opener = await connect(later.databaseUrl);
  await later.sandbox.make('/customers', { name: 'In the rest' });
  await opener.query('begin');
  await opener.query('select lookup.open_audit_months($1)', [at]);
  const made = later.sandbox.make('/customers', { name: 'On its way' });
  await until(async () => (await opener.query(LOCK_WAITS)).length > 0, { what: 'the write' });
  await opener.query('commit');
  await made;
  const months = `select distinct tableoid::regclass::text as part from audit_log where account_id = $1`;
  expect(await opener.query(months, [later.sandbox.account.id])).toEqual([{ part: 'audit.log_2040_01' }]);
  expect(later.faults).toEqual([]);
  await opener.close();
  await later.close();
});

test('rows are linked in order, each once, and the chain is sound', async () => {
  const links = await owner.query<{ position: number; entry_id: number }>(
    'select position, entry_id from audit_link where account_id = $1 order by position',
    [shop.account.id],
  );
  expect(links.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  expect(links.map(({ entry_id }) => entry_id)).toEqual(await entries());
  expect(await link()).toBe(0);
  await shop.make('/customers', { name: 'Five' });
  expect(await drifts()).toEqual([]); // a row that waits for its link is no drift
  await link();
  expect(await drifts()).toEqual([]);
});

test.each([
  ['a changed row', `update audit_log set actor_name = 'Nobody' where id = $1`],
  ['a changed count', 'update audit_log set count = 2 where id = $1'],
  ['a deleted row', 'delete from audit_log where id = $1'],
])('%s is found', async (_name, sql) => {
  const [, second = 0] = await entries();
  const stored = await owner.query<{ row: object }>('select to_jsonb(l) as row from audit_log l where id = $1', [
    second,
  ]);
  await owner.query(sql, [second]);
  expect(await objects()).toEqual([`entry ${second}`]);
  await owner.query('delete from audit_log where id = $1', [second]);
  await owner.query('alter table audit_log disable trigger audit_log_to_queue');
  await owner.query('insert into audit_log select * from jsonb_populate_record(null::audit_log, $1)', [stored[0]?.row]);
  await owner.query('alter table audit_log enable trigger audit_log_to_queue');
  expect(await drifts()).toEqual([]);
});

test('a change of what a customer did, of what was exported, and of what the sandbox did to members is found', async () => {
  const home = await api.open('Whole');
  const { sandbox, live } = home;
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada' });
  const estimate = await sandbox.make('/estimates', { customer, items: [{ unit_cost: 9 }] });
  await approveOn(api, estimate.url);
  const headers = { ...basic(sandbox.key), accept: 'application/pdf' };
  expect((await fetch(`${sandbox.url}/estimates/${estimate.id}`, { headers })).status).toBe(200);
  await sandbox.make('/members', { email: 'chained@example.com', role: 'employee' });
  await link();
  expect(await drifts()).toEqual([]);
  const planted = await owner.query<{ id: number; operation: string }>(
    `update audit_log set ip = '203.0.113.9' where account_id = any($1::int[])
       and (operation in ('approveEstimateOnPage', 'inviteMember') or kind = 'export') returning id, operation`,
    [`{${sandbox.account.id},${live.account.id}}`],
  );
  const operations = ['approveEstimateOnPage', 'inviteMember', 'readEstimate'];
  expect(planted.map(({ operation }) => operation).toSorted()).toEqual(operations);
  expect((await objects()).toSorted()).toEqual(planted.map(({ id }) => `entry ${id}`).toSorted());
  for (const table of ['audit_link', 'audit_log', 'audit_head'])
    await owner.query(`delete from ${table} where account_id = any($1::int[])`, [
      `{${sandbox.account.id},${live.account.id}}`,
    ]);
});

test('rows that are deleted with their links are found, in the middle and at the end', async () => {
  const [, second = 0, , last = 0] = await entries();
  const remove = async (id: number) => {
    await owner.query('delete from audit_link where entry_id = $1', [id]);
    await owner.query('delete from audit_log where id = $1', [id]);
  };
  await remove(last);
  expect(await objects()).toEqual(['last link']);
  await owner.query(
    `update audit_head h set position = k.position, mac = k.mac from audit_link k
     where k.account_id = h.account_id and h.account_id = $1 and k.position = 3`,
    [shop.account.id],
  );
  expect(await objects()).toEqual(['last link']); // its signature
  await remove(second);
  expect(await objects()).toEqual(['last link', 'link 2']);
  await owner.query('delete from audit_link where account_id = $1', [shop.account.id]);
  await owner.query('delete from audit_log where account_id = $1', [shop.account.id]);
  await owner.query('delete from audit_head where account_id = $1', [shop.account.id]);
});

test('an inserted row is found: without a link, with a made-up one, and linked long after its date', async () => {
  const [first = 0] = await entries();
  const plant = (at: string) =>
    owner.query<{ id: number }>(
      `insert into audit_log (account_id, created_at, kind, actor, operation) values ($1, ${at}, 'change', 'system', 'planted') returning id`,
      [shop.account.id],
    );
  const [{ id } = { id: 0 }] = await plant('now()');
  await owner.query('delete from audit_queue where entry_id = $1', [id]);
  expect(await objects()).toEqual([`entry ${id}`]);
  await owner.query(
    `insert into audit_link (account_id, position, created_at, entry_id, entry_created_at, mac)
     select account_id, 5, now(), id, created_at, 'made up' from audit_log where id = $1`,
    [id],
  );
  expect(await objects()).toEqual([`entry ${id}`, 'last link']);
  await owner.query('delete from audit_link where entry_id = $1', [id]);
  await owner.query('delete from audit_log where id = $1', [id]);
  const [{ id: late } = { id: 0 }] = await plant(`now() - interval '3 hours'`);
  await link();
  expect(await objects()).toEqual([`entry ${late}`]);
  expect(first).toBeGreaterThan(0);
  for (const table of ['audit_link', 'audit_log', 'audit_head'])
    await owner.query(`delete from ${table} where account_id = $1`, [shop.account.id]);
});

test('a month of more than two years ago ends with an anchor, from which the chain goes on', async () => {
  const old = await api.open('Old');
  const accountId = old.sandbox.account.id;
  const past = (months: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 20));
  };
  for (const months of [26, 25, 24]) {
    await system.query('select lookup.open_audit_months($1)', [past(months)]);
    await owner.query(
      `insert into audit_log (account_id, created_at, kind, actor, operation)
       select $1, $2, 'change', 'system', 'past' from generate_series(1, 3)`,
      [accountId, past(months)],
    );
    await link(past(months));
  }
  expect(await drifts()).toEqual([]);
  await expect(
    owner.query(`select lookup.end_audit_months(date_trunc('month', now()) - interval '24 months')`),
  ).rejects.toThrow('not anchored');
  await expect(
    owner.query(`select lookup.end_audit_months(date_trunc('month', now()) - interval '23 months')`),
  ).rejects.toThrow('kept for 24 months');
  await sweepAt(api, Date.now());
  const left = await owner.query<{ count: number }>(
    'select count(*)::int as count from audit_log where account_id = $1',
    [accountId],
  );
  expect(left).toEqual([{ count: 3 }]);
  expect(await owner.query('select position from audit_anchor where account_id = $1', [accountId])).toEqual([
    { position: 6 },
  ]);
  expect(await drifts()).toEqual([]);
  await owner.query('update audit_anchor set position = 5 where account_id = $1', [accountId]);
  expect((await objects())[0]).toMatch(/^anchor of/);
});
