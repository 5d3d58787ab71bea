import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { TestClockStep } from '../../../db/schema/testClock.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { seedCatalog, seedEverything } from '../../support/everything.ts';
import { ownedTables } from '../../support/owned.ts';

/** Deleting a test clock deletes all rows of its customers and no others. */

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  await client.patch('/account', { apply_credits_at_issue: false });
  await seedCatalog(client);
});
afterAll(() => api.close());

/**
 * Tables that keep rows of a deleted clock: the books and the numbering stay complete, and stored answers are replayed. Leases are of pumps, which have
 * no clock.
 */
const keeps = ['idempotency', 'ledger_entry', 'numbering_gap', 'pump_lease'];

/** All rows of an account as text, by table. Wakes of the account's pumps are left out. */
async function rowsOf(tables: readonly string[]): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const table of tables) {
    const whose = table === 'outbox' ? `account_id = ? and topic not in ('mail', 'webhook')` : 'account_id = ?';
    const found = await api.em
      .fork()
      .execute<{ row: string }[]>(`select t::text as row from "${table}" t where ${whose} order by 1`, [
        client.account.id,
      ]);
    rows.set(
      table,
      found.map(({ row }) => row),
    );
  }
  return rows;
}

test('deleting a clock deletes one of every kind of object, and leaves rows of others unchanged', async () => {
  const tables = ownedTables(api.em).filter((table) => !keeps.includes(table));
  await seedEverything(api, client, {});
  const bystander = await rowsOf(tables);
  const { id: test_clock } = await client.make('/test_clocks', { frozen_time: 1_900_000_000 });
  await seedEverything(api, client, { test_clock });
  const step = { advance: 1, at: new Date(), subjectType: 'customer', subjectId: 1, did: 'told' };
  await inTransaction(api.em, async (em) => {
    em.create(TestClockStep, { ...step, accountId: client.account.id, testClock: [client.account.id, test_clock] });
  });
  const all = await rowsOf(tables);
  const untouched = tables.filter((table) => (all.get(table)?.length ?? 0) <= (bystander.get(table)?.length ?? 0));
  // `everything.ts` must create rows in every table of customers. Otherwise a missing deletion would go unnoticed.
  expect(untouched).toEqual([]);

  expect(await client.delete(`/test_clocks/${test_clock}`)).toMatchObject({ status: 204 });
  expect(Object.fromEntries(await rowsOf(tables))).toEqual(Object.fromEntries(bystander));
  const { series } = (await client.get('/numbering/audit')).body;
  const reasons = series.flatMap(({ missing }: { missing: { reason: string }[] }) =>
    missing.map(({ reason }) => reason),
  );
  expect(new Set(reasons)).toEqual(new Set(['clock_deleted']));
  expect(api.faults).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
