import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../db/database.ts';
import { asSystem } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { connect } from '../../../workers/connection.ts';
import { createTestDatabase, ownerUrls, type TestDatabase } from '../../support/database.ts';

/** Each connection prepares its statements, and prepares them anew when a migration has changed the columns of their result. */

let database: TestDatabase;
let orm: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
/** Each test has a single connection, which has prepared nothing. */
beforeEach(() => {
  orm = openDatabase({ urls: ownerUrls(database), poolSize: 1, tenant: 'system' });
});
afterEach(() => orm.close(true));

const run = (sql: string, values: unknown[] = []) => asSystem(() => orm.em.fork().execute(sql, values));
/** The prepared statements that begin with these words, and how often each was executed. */
const uses = (words: string) =>
  run(
    `select name, generic_plans + custom_plans as uses from pg_prepared_statements
     where starts_with(statement, ?) order by prepare_time`,
    [words],
  );

test('a connection prepares a statement once, and again after the columns of its result have changed', async () => {
  const read = (id: number) => run('select * from prepared where id = ?', [id]);
  const found = () => uses('select * from prepared');
  await run('create table prepared as select id, 10 * id as amount from generate_series(1, 2) id');
  expect([await read(1), await read(2)]).toEqual([[{ id: 1, amount: 10 }], [{ id: 2, amount: 20 }]]);
  const [first = {}, ...others] = await found();
  expect([first, others]).toEqual([{ name: expect.stringMatching(/^s\d+$/), uses: 2 }, []]);

  await run('alter table prepared add column currency text');
  expect([await read(1), await read(2)]).toEqual([
    [{ id: 1, amount: 10, currency: null }],
    [{ id: 2, amount: 20, currency: null }],
  ]);
  const after = (await found()).at(-1);
  expect(after).toMatchObject({ uses: 2 });
  expect(after).not.toMatchObject({ name: first.name });
});

test('a transaction that meets a changed column is repeated once, whatever number of its statements is affected', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `changed_${n}`);
  for (const name of names) await run(`create table ${name} as select 1 as id`);
  let begun = 0;
  const readAll = () =>
    asSystem(() =>
      inTransaction(orm.em, async (em) => {
        begun += 1;
        const rows = [];
        for (const name of names) rows.push(...(await em.execute(`select * from ${name} where id = ?`, [1])));
        return rows;
      }),
    );
  expect(await readAll()).toEqual(names.map(() => ({ id: 1 })));
  for (const name of names) await run(`alter table ${name} add column more int`);
  expect(await readAll()).toEqual(names.map(() => ({ id: 1, more: null })));
  for (const name of names) await run(`alter table ${name} drop column more`);
  expect(await readAll()).toEqual(names.map(() => ({ id: 1 })));
  expect(begun).toBe(1 + 2 + 2);
});

test('a change that one connection has met is met by no other one of the process', async () => {
  const other = await connect(database.url);
  const read = () => other.query('select * from met where id = $1', [1]);
  await run('create table met as select 1 as id');
  await run('select * from met where id = ?', [1]);
  await read();
  await run('alter table met add column more int');
  await run('select * from met where id = ?', [1]);
  const found = await other.transaction(read);
  expect(found).toEqual([{ id: 1, more: null }]);
  await other.close();
});

test('a statement of more than 4,000 characters is not prepared', async () => {
  // `$1` is one character longer than the question mark that it replaces.
  const ofLength = (length: number) => 'select ?::int as long_one --'.padEnd(length - 1, '-');
  for (const length of [4000, 4001]) await run(ofLength(length), [1]);
  expect(await uses('select $1::int as long_one')).toHaveLength(1);
});

test('a connection prepares at most 400 statements', async () => {
  for (let n = 0; n < 410; n++) await run(`select ?::int as number_${n}`, [n]);
  expect(await run('select count(*)::int as count from pg_prepared_statements')).toEqual([{ count: 400 }]);
  expect(await run('select ?::int as beyond', [7])).toEqual([{ beyond: 7 }]);
});
