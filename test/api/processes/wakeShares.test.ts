import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claimWakes, deleteWakes, enqueueCall } from '../../../db/queries/processes/outbox.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Connection } from '../../../workers/connection.ts';
import type { CrowdedAccount } from '../../../workers/turns.ts';
import { startWakes, type Wakes } from '../../support/sweeps.ts';

/** The number of wakes of each account that a relay leases at a time. */

const NOW = new Date('2027-03-01T12:00:00Z');
let wakes: Wakes;
let sql: Connection;
let many: number;
let few: number;
beforeAll(async () => {
  wakes = await startWakes(() => NOW);
  sql = wakes.sql;
  many = wakes.api.sandbox.account.id;
  few = wakes.api.live.account.id;
});
afterAll(() => wakes.close());

async function enqueue(account: number, count: number): Promise<void> {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select $1::int, 'invoice', n, $2::timestamptz from generate_series(1, $3::int) n`,
    [account, NOW, count],
  );
}

/** Leases rows and deletes them. Returns their number for each account. */
async function claim(most: {
  ofOne: number;
  except: number[];
  crowded?: CrowdedAccount[];
}): Promise<[many: number, few: number]> {
  const limits = { limit: 50, recovered: 10, crowded: [], ...most };
  const claimed = await claimWakes(sql, { now: NOW, leaseMilliseconds: 10_000, ...limits });
  await deleteWakes(
    sql,
    claimed.map(({ id }) => id),
  );
  const of = (account: number) => claimed.filter(({ accountId }) => accountId === account).length;
  return [of(many), of(few)];
}

test('a batch has at most so many of one account, none of those that have enough at work, and none of a process without a place', async () => {
  await enqueue(many, 100);
  await enqueue(few, 5);
  expect(await claim({ ofOne: 50, except: [many] })).toEqual([0, 5]);
  await enqueue(few, 5);
  expect(await claim({ ofOne: 16, except: [] })).toEqual([16, 5]);
  expect(await claim({ ofOne: 50, except: [] })).toEqual([50, 0]);
  const crowded: CrowdedAccount[] = [{ accountId: many, process: 'invoice' }];
  expect(await claim({ ofOne: 50, except: [], crowded })).toEqual([0, 0]);
  expect(await claim({ ofOne: 50, except: [], crowded: [{ accountId: many, process: 'webhook' }] })).toEqual([34, 0]); // 100 - 16 - 50
});

test('the limits of an account do not apply to a process that is called to its reserved place, and it goes first', async () => {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at, recovered)
     select $1::int, 'invoice', n, $2::timestamptz - interval '10 years', true from generate_series(1, 3) n`,
    [few, NOW],
  );
  const called = { accountId: many, topic: 'clock' as const, subjectId: 7, shard: 0 };
  await withAccount(many, () => inTransaction(wakes.api.em, async (em) => enqueueCall(em, called)));
  const limits = { limit: 50, ofOne: 50, recovered: 1, except: [many] };
  const crowded: CrowdedAccount[] = [{ accountId: many, process: 'clock' }];
  const claimed = await claimWakes(sql, { now: NOW, leaseMilliseconds: 10_000, crowded, ...limits });
  expect(claimed).toMatchObject([{ topic: 'clock', subjectId: 7 }]);
});
