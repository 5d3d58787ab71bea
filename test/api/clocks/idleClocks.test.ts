import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { CLOCKS_START, type ClockPosition } from '../../../db/queries/clocks/clocks.ts';
import type { Connection } from '../../../workers/connection.ts';
import { reconcile } from '../../../workers/reconcile.ts';
import type { TestApi } from '../../support/api.ts';
import { idsFrom, startWakes, sweepAt, type Wakes } from '../../support/sweeps.ts';

/** The sweep finds all due work on clocks that do not advance. */

const DUE = Date.UTC(2027, 2, 1);
let wakes: Wakes;
let api: TestApi;
let sql: Connection;
beforeAll(async () => {
  wakes = await startWakes(() => new Date(DUE));
  ({ api, sql } = wakes);
});
afterEach(() => wakes.clear());
afterAll(() => wakes.close());

/** Creates a clock with due subscriptions from the first to the last id. Returns the clock's id. */
async function clockWith([first, last]: readonly [number, number]): Promise<number> {
  const { id } = await api.sandbox.make('/test_clocks', { frozen_time: DUE / 1000 });
  await sql.query(
    `insert into wakeup (account_id, process, subject_id, rule, at, put_at, step, time_base, clock_id)
     select $1::int, 'subscription', n, 'bill', $2::timestamptz, $2::timestamptz, 'renewal 2', 'clock', $3
     from generate_series($4::int, $5::int) n`,
    [api.sandbox.account.id, new Date(DUE), id, first, last],
  );
  await sql.query('analyze wakeup');
  return id;
}

test('a rebuild enqueues each due process of idle clocks once', async () => {
  await clockWith([1, 2500]);
  await clockWith([3001, 3001]);
  await reconcile(sql, new Date(DUE));
  expect(await wakes.enqueuedSubscriptions()).toEqual([...idsFrom(1, 2500), 3001]);
});

test('sweeps continue after the thousand wake-ups of a clock that they enqueued, even if none progresses', async () => {
  await clockWith([1, 2500]);
  await clockWith([3001, 3001]);
  const clocks: { after: ClockPosition } = { after: CLOCKS_START };
  const next = async () => {
    await sql.query('delete from outbox'); // the wakes are lost
    await sweepAt(api, DUE, { clocks });
    return wakes.enqueuedSubscriptions();
  };
  expect(await next()).toEqual([...idsFrom(1, 1000), 3001]); // the other clock does not wait for the first
  expect(await next()).toEqual([...idsFrom(1001, 2000), 3001]);
  expect(await next()).toEqual([...idsFrom(2001, 2500), 3001]);
  expect(clocks.after).toEqual(CLOCKS_START);
});

test('the sweep leaves advancing clocks to themselves, and processes that sleep on a problem asleep', async () => {
  const advancing = await clockWith([1, 3]);
  await sql.query(
    `update test_clock set status = 'advancing', target_at = frozen_at + interval '1 day' where id = $1`,
    [advancing],
  );
  const idle = await clockWith([11, 13]);
  await sql.query(
    `insert into wakeup select (jsonb_populate_record(w, jsonb_build_object('rule', 'problem', 'at', w.at + interval '1 hour'))).*
     from wakeup w where clock_id = $1 and subject_id = 12`,
    [idle],
  );
  await sweepAt(api, DUE);
  expect(await wakes.enqueuedSubscriptions()).toEqual([11, 13]);
});
