import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../../db/database.ts';
import { asSystem } from '../../../db/tenant.ts';
import { createTestDatabase, ownerUrls, type TestDatabase } from '../../support/database.ts';

/** Each connection prepares its statements, and prepares them anew when a migration has changed the columns of their result. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a connection prepares a statement once, and again after the columns of its result have changed', async () => {
  const orm = openDatabase({ urls: ownerUrls(database), poolSize: 1, tenant: 'system' });
  const run = (sql: string, values: unknown[] = []) => asSystem(() => orm.em.fork().execute(sql, values));
  const read = (id: number) => run('select * from prepared where id = ?', [id]);
  const uses = () =>
    run(`select name, generic_plans + custom_plans as uses from pg_prepared_statements
         where statement like 'select * from prepared%' order by prepare_time`);

  await run('create table prepared as select id, 10 * id as amount from generate_series(1, 2) id');
  expect([await read(1), await read(2)]).toEqual([[{ id: 1, amount: 10 }], [{ id: 2, amount: 20 }]]);
  const [first = {}, ...others] = await uses();
  expect([first, others]).toEqual([{ name: expect.stringMatching(/^s\d+$/), uses: 2 }, []]);

  await run('alter table prepared add column currency text');
  await expect(read(1)).rejects.toThrow('cached plan must not change result type');
  expect([await read(1), await read(2)]).toEqual([
    [{ id: 1, amount: 10, currency: null }],
    [{ id: 2, amount: 20, currency: null }],
  ]);
  const after = (await uses()).at(-1);
  expect(after).toMatchObject({ uses: 2 });
  expect(after).not.toMatchObject({ name: first.name });
  await orm.close(true);
});
