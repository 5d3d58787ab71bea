import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/resources/routes.ts';
import { permissionsOf } from '../../../billing/people/permissions.ts';
import { subjectTables } from '../../../db/schema/customerTables.ts';
import { subjectsOfCustomers } from '../../../db/schema/event.ts';
import { withOwner } from '../../../db/tenant.ts';
import type { Answer, Client, TestApi } from '../../support/api.ts';
import { withFreshObjects } from '../../support/freshObjects.ts';
import { apiDocument, isOfPerson, type LocatedOperation, operationsOf } from '../../support/openapi.ts';
import { type Colleague, colleague } from '../../support/people.ts';
import { upload } from '../../support/upload.ts';
import { replaceSingle, requestIn, seedWorld, startWorld, type World } from '../../support/world.ts';

/** Members that see only the customers that they own, beside customers of somebody else. */

let api: TestApi;
/** A key of the account, which made all objects of `foreign`: they are of another member, or of none. */
let all: Client;
let foreign: World;
let limited: Colleague;
/** Another business, all of whose customers are of its limited member. */
let owning: { all: Client; limited: Colleague; world: World };
beforeAll(async () => {
  const addLimited = (client: Client) => colleague(api, client, { role: 'administrator', isLimited: true });
  const scene = await startWorld();
  ({ api, client: all, world: foreign } = scene);
  limited = await addLimited(all);
  const other = await addLimited(all);
  await own(all, { ownerId: other.id, where: 'id % 2 = 0' });
  const theirs = (await api.open('Owning')).sandbox;
  await theirs.make('/customers', { name: 'Refused', email: 'refused@example.com' }); // the world's suppression
  const world = await seedWorld(api, theirs);
  owning = { all: theirs, world, limited: await addLimited(theirs) };
});
afterAll(() => api.close());

async function own(client: Client, { ownerId, where }: { ownerId: number; where: string }): Promise<void> {
  const sql = `update customer set owner_id = ? where account_id = ? and ${where}`;
  await api.em.fork().execute(sql, [ownerId, client.account.id]);
}

const operations = operationsOf(apiDocument);
const isList = (one: LocatedOperation) => one.method === 'GET' && !one.path.includes('{');
const called = (of: readonly LocatedOperation[]) => of.map((one) => ({ id: one.id, one }));
const held = permissionsOf({ role: 'administrator', permissions: null, isLimited: true });
const forAll = new Set(routes.flatMap(({ operationId, ofAllCustomers }) => (ofAllCustomers ? [operationId] : [])));
const isHeld = ({ id, operation }: LocatedOperation) => {
  const needed: unknown = Reflect.get(operation, 'x-permission') ?? null; // null: everybody may
  return !isOfPerson({ operation }) && !forAll.has(id) && (needed === null || held.some((one) => one === needed));
};

/** What belongs to the account and not to customers. */
const SHARED =
  /^\/(me|owners|payment_fields|items|plans|coupons|sign_up_pages|payment_links|tax_rates|tax_rules|custom_fields|saved_views|late_fee_schedules|chasing_cadences|invoice_chasing_cadences)\b/;

/** Answers over everything, whose limits have tests of their own. */
const OVER_EVERYTHING = /^\/(search|home)$/;

test.each(called(operations.filter(isList)))('$id shows nothing of the customers of others', async ({ one }) => {
  const queries = ['', '?search=ours', '?search=ours refused', '?metadata[a]=b', '?sort=id desc', '?per_page=1'];
  for (const query of queries) {
    const answer = await limited.client.get(one.path + encodeURI(query));
    if (!isHeld(one)) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
      continue;
    }
    if (answer.status === 400 && query !== '') continue; // the list has no such parameter
    expect(answer.status).toBe(200);
    if (SHARED.test(one.path) || OVER_EVERYTHING.test(one.path)) continue;
    if (one.path.startsWith('/reports/')) {
      expect(answer.body).toMatchObject({ rows: [], totals: [], last_event: null });
      continue;
    }
    expect({ path: one.path, body: answer.body, total: answer.headers.get('X-Total-Count') }).toEqual({
      path: one.path,
      body: [],
      total: '0',
    });
  }
});

/** Rows of all tables that belong to customers, as one hash. */
async function rowsOfCustomers(): Promise<Record<string, string>> {
  const tables = await api.em
    .fork()
    .execute<{ name: string }[]>(
      `select distinct tablename as name from pg_policies where policyname = 'owner' and tablename not in ('event_log') order by 1`,
    );
  const hashes = tables.map(
    ({ name }) => `(select md5(string_agg(t::text, '' order by t::text)) from ${name} t) as ${name}`,
  );
  const [row = {}] = await api.em.fork().execute<Record<string, string>[]>(`select ${hashes.join(', ')}`);
  return row;
}

const named = operations.filter((one) => {
  const { path, body } = requestIn({ customers: 1 }, one);
  return (
    (path.includes('/none') || path.includes('/1') || JSON.stringify(body ?? '').includes('"customer":1')) &&
    !SHARED.test(one.path)
  );
});

test('the objects of others are missing for every operation that names one, and none of them writes', async () => {
  const before = await rowsOfCustomers();
  const wrong: unknown[] = [];
  for (const one of named) {
    const { path, body } = requestIn(foreign, one);
    const { status, body: said } = await limited.client.request(one.method, path, body);
    const isMissing = status === 404 || (status === 400 && said.code === 'resource_missing');
    if (isHeld(one) ? !isMissing : status !== 403) wrong.push({ id: one.id, path, status, said });
  }
  expect(wrong).toEqual([]);
  expect(await rowsOfCustomers()).toEqual(before);
  expect(named.length).toBeGreaterThan(120);
});

/** Deletions come last, in reverse order. */
const isLater = ({ method }: LocatedOperation) => method === 'DELETE';
const inOrder = [...operations.filter((one) => !isLater(one)), ...operations.filter(isLater).toReversed()];

test('every operation that a limited member may call works on its own customers', async () => {
  const { all: client, limited: one, world } = owning;
  const wrong: unknown[] = [];
  for (const operation of inOrder.filter(isHeld)) {
    await replaceSingle(client, world, operation.id);
    const here = operation.method === 'GET' ? world : await withFreshObjects({ api, client, world }, operation);
    await own(client, { ownerId: one.id, where: 'owner_id is null' });
    const set = (columns: string) =>
      api.em
        .fork()
        .execute(`update ${columns} from (select ?::int as id) one where account_id = ?`, [one.id, client.account.id]);
    await set('file set owner_id = one.id');
    await set('saved_view set member_id = one.id');
    await set('job set owner_id = one.id, member_id = one.id');
    const { path, body } = requestIn(here, operation);
    const { status, body: said } = await one.client.request(operation.method, path, body);
    if (status >= 300) wrong.push({ id: operation.id, path, status, said });
  }
  expect(wrong).toEqual([]);
  expect(api.faults).toEqual([]);
});

test('its customers are its own, and it cannot give them away', async () => {
  const { client, id } = limited;
  const customer = await client.make('/customers', { name: 'Mine', email: 'mine@example.com' });
  expect(customer.owner).toBe(id);
  const refusal = { status: 400, body: { code: 'permission_missing', param: 'owner' } };
  for (const owner of [id + 1, null])
    expect(await client.patch(`/customers/${customer.id}`, { owner })).toMatchObject(refusal);
  expect(await client.post('/customers', { name: 'Theirs', owner: id + 1 })).toMatchObject(refusal);
  expect((await client.patch(`/customers/${customer.id}`, { owner: id, name: 'Still mine' })).body.owner).toBe(id);
  const invoice = await client.make('/invoices', { customer: customer.id, items: [{ name: 'Hour', unit_cost: 5 }] });
  const seen = async (path: string) => (await client.get(path)).body.map((row: { id: number }) => row.id);
  expect(await seen('/customers')).toEqual([customer.id]);
  expect(await seen('/customers?search=mine')).toEqual([customer.id]);
  expect(await seen('/invoices')).toEqual([invoice.id]);
  expect((await client.get('/invoices')).headers.get('X-Total-Count')).toBe('1');
  expect(Number((await all.get('/invoices')).headers.get('X-Total-Count'))).toBeGreaterThan(5);
  const types = (answer: Answer) => answer.body.map(({ type }: { type: string }) => type);
  expect(types(await client.get(`/customers/${customer.id}/timeline`))).toEqual(
    types(await all.get(`/customers/${customer.id}/timeline`)),
  );
  const parts = [{ name: 'file', filename: 'mine.pdf', type: 'application/pdf', content: '%PDF-1.7' }];
  const file = (await upload(client, parts)).body.id;
  expect(await seen('/files')).toEqual([file]);
  expect((await client.patch(`/invoices/${invoice.id}`, { attachments: [file] })).status).toBe(200);
  await own(all, { ownerId: id + 1, where: `id = ${customer.id}` });
  expect(await seen('/invoices')).toEqual([]);
  expect((await client.get(`/customers/${customer.id}`)).status).toBe(404);
});

test('a connection that worked for a limited member shows the next one what that may see', async () => {
  const count = async (ownerId: number | null) => {
    const work = () => api.deps.em.fork().execute<{ count: number }[]>('select count(*) as count from customer');
    return (await withOwner(all.account.id, ownerId, work))[0]?.count ?? 0;
  };
  const seen = [];
  for (const ownerId of [null, limited.id, null, limited.id, null]) seen.push(await count(ownerId));
  const [whole, few] = seen;
  expect(seen).toEqual([whole, few, whole, few, whole]);
  expect(whole).toBeGreaterThan(few ?? 0);
  const failing = withOwner(all.account.id, limited.id, () => api.deps.em.fork().execute('select 1 / 0'));
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(await count(null)).toBe(whole);
  const answers = await Promise.all([
    limited.client.get('/customers'),
    all.get('/customers'),
    limited.client.get('/customers'),
  ]);
  expect(answers.map(({ body }) => body.length)).toEqual([0, whole, 0]);
});

test('a session of a member without customers sees no row of a limited table but shared views, whatever its statement says', async () => {
  const tables = await api.em
    .fork()
    .execute<{ name: string }[]>(
      `select tablename as name from pg_policies where policyname = 'owner' and qual <> 'true' order by 1`,
    );
  const counts = tables.map(({ name }) => `(select count(*)::int from ${name}) as ${name}`);
  const sql = `select ${counts.join(', ')}`;
  const count = async (ownerId: number | null) => {
    const [row = {}] = await withOwner(all.account.id, ownerId, () =>
      api.deps.em.fork().execute<Record<string, number>[]>(sql),
    );
    return Object.entries(row).flatMap(([name, rows]) => (rows > 0 ? [name] : []));
  };
  expect(await count(999_999)).toEqual(['saved_view']); // the shared one, which every member sees
  expect((await count(null)).length).toBeGreaterThan(30);
});

/** Tables that name a customer or its objects, and are not limited. */
const OPEN: Readonly<Record<string, string>> = {
  idempotency: 'its answers are those of the credential itself',
  coupon_redemption: 'counts of an account-wide coupon; nothing shows it',
  snapshot: 'found by the hash of its content or by its document',
  outbox: 'a queue that nothing shows',
  pump_lease: 'a queue that nothing shows',
};

test('every table that belongs to a customer, directly or through an object, has a policy for limited members', async () => {
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const run = async (sql: string) => names(await api.em.fork().execute<{ name: string }[]>(sql));
  const limitedTables = await run(
    `select distinct tablename as name from pg_policies where 'perennial_limited' = any(roles)`,
  );
  const reached = await run(`with recursive reached(oid) as (
      select 'customer'::regclass::oid
      union select c.conrelid from pg_constraint c join reached r on c.confrelid = r.oid where c.contype = 'f')
    select relname as name from reached join pg_class c on c.oid = reached.oid`);
  const columns =
    await run(`select distinct table_name as name from information_schema.columns where table_schema = 'public'
    and column_name in ('customer_id', 'invoice_id', 'document_id', 'subject_id', 'redeemer_id', 'attempt_id', 'email_id')`);
  const wanted = [...new Set([...reached, ...columns])].filter((name) => !Object.hasOwn(OPEN, name));
  expect(wanted.filter((name) => !limitedTables.includes(name))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(40);
  expect(subjectsOfCustomers.toSorted()).toEqual(['customer', ...subjectTables].toSorted());
});
