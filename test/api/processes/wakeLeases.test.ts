import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { claimWakes } from '../../../db/queries/processes/outbox.ts';
import { wakeBatches } from '../../../workers/relayWakes.ts';
import { startWakes, type Wakes } from '../../support/sweeps.ts';
import { until } from '../../support/wait.ts';

/** Leases of a relay end by the clock of the database, even if the time of the product stands still, as in a test that steps it. */

const NOW = new Date('2027-03-01T12:00:00Z');
const LIMITS = { limit: 50, ofOne: 50, except: [], crowded: [], recovered: 10 };
let wakes: Wakes;
beforeAll(async () => {
  wakes = await startWakes(() => NOW);
});
afterAll(() => wakes.close());

beforeEach(async () => {
  await wakes.clear();
  await wakes.sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at) values ($1::int, 'invoice', 1, $2::timestamptz)`,
    [wakes.api.sandbox.account.id, NOW],
  );
});

test('a process that could not be woken is woken again', async () => {
  let tries = 0;
  const wake = async () => {
    tries += 1;
    if (tries === 1) throw new Error('Temporal is busy');
  };
  const log = { ...wakes.api.deps.log, debug: () => undefined };
  const handleBatch = wakeBatches({ wake, systemNow: () => NOW, log })(wakes.sql);
  await handleBatch();
  expect(tries).toBe(1);
  const [left] = await wakes.sql.query<{ seconds: number }>(
    'select extract(epoch from leased_until - now())::float8 as seconds from outbox',
  );
  expect(left?.seconds).toBeLessThanOrEqual(1);
  const isTriedAgain = async () => {
    await handleBatch();
    return tries === 2;
  };
  await until(isTriedAgain, { what: 'the second try' });
  expect(await wakes.sql.query('select 1 from outbox')).toEqual([]);
});

test('rows that a relay leased and left are leased to another when the lease ends', async () => {
  const claim = () => claimWakes(wakes.sql, { now: NOW, leaseMilliseconds: 3_600_000, ...LIMITS });
  expect(await claim()).toHaveLength(1);
  expect(await claim()).toEqual([]);
  await wakes.sql.query(`update outbox set leased_until = leased_until - interval '1 hour'`);
  expect(await claim()).toHaveLength(1);
});
