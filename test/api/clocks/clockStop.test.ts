import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { advanceClock, type ClockDeps } from '../../../workers/clock.ts';
import { createClockBells } from '../../../workers/clockBells.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import type { ActivityResult } from '../../../workflows/process.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

/** The decision to stop a clock uses the state after its row is locked, not the state before the wait for the lock. */

const START = new Date('2027-01-01T00:00:00Z');
const STUCK = '1 step not done for 0.2 s';

let api: TestApi;
/** A connection that locks the clock, as a step of another worker does. */
let other: Connection;
let id: number;
let activity: MockActivityEnvironment;

beforeAll(async () => {
  api = await startApi();
  other = await connect(api.databaseUrl);
});
afterAll(async () => {
  await other.close();
  await api.close();
});

/** Creates an advancing clock with one step due now and another one tomorrow. */
beforeEach(async () => {
  id = (await api.sandbox.make('/test_clocks', { frozen_time: START.getTime() / 1000 })).id;
  await other.query(
    `update test_clock set status = 'advancing', advances = 1, progressed_at = now(), target_at = frozen_at + interval '2 days'
     where id = $1`,
    [id],
  );
  await other.query(
    `insert into wakeup (account_id, process, subject_id, rule, at, put_at, step, time_base, clock_id)
     select $1::int, 'subscription', $2::int, rule, $3::timestamptz + days * interval '1 day', now(), 'renewal', 'clock', $2
     from (values ('bill', 0), ('cancel', 1)) due(rule, days)`,
    [api.sandbox.account.id, id, START],
  );
  activity = new MockActivityEnvironment({ attempt: 3 });
});

const advance = (): Promise<ActivityResult> => {
  const deps: ClockDeps = {
    em: api.em,
    systemNow: () => new Date(),
    clocks: createClockBells(),
    poke: () => undefined,
    clockPatience: 200,
    lookUpDelay: 0,
  };
  return activity.run(advanceClock, deps, { accountId: api.sandbox.account.id, id });
};

/** Locks the clock, waits until the worker waits for the lock, calls `meanwhile` and commits. Returns the worker's result. */
async function whileItWaits(meanwhile: () => Promise<unknown> | unknown): Promise<ActivityResult> {
  const [answer] = await other.transaction(async () => {
    await other.query('select 1 from test_clock where id = $1 for share', [id]);
    const advancing = advance();
    advancing.catch(() => undefined);
    await until(async () => (await api.em.fork().execute(LOCK_WAITS)).length > 0, {
      what: 'the worker to wait for the clock',
    });
    await meanwhile();
    return [advancing];
  });
  return answer;
}

const clockStatus = async () => {
  const sql = 'select status, stop_reason as reason from test_clock where id = $1';
  const [clock] = await other.query<{ status: string; reason: string | null }>(sql, [id]);
  return clock;
};
const ADVANCING = { status: 'advancing', reason: null };
const LOOKS_AGAIN = { did: [], more: true };
const takeStep = (rule: string) => other.query('delete from wakeup where clock_id = $1 and rule = $2', [id, rule]);
const newAdvance = () => other.query('update test_clock set advances = advances + 1 where id = $1', [id]);

test('a clock stops when nothing happened while the stop waited for its lock', async () => {
  expect(await whileItWaits(() => undefined)).toMatchObject({ did: [`stopped: ${STUCK}`], more: false });
  expect(await clockStatus()).toEqual({ status: 'stopped', reason: STUCK });
});

test('a clock does not stop when the step was taken while the stop waited for its lock', async () => {
  expect(await whileItWaits(() => takeStep('bill'))).toMatchObject(LOOKS_AGAIN);
  expect(await clockStatus()).toEqual(ADVANCING);
  await takeStep('cancel');
  expect(await advance()).toMatchObject({ did: ['0 rounds, arrived'], more: false });
});

test('a stop leaves a later advance alone when another stop came first', async () => {
  expect(await whileItWaits(newAdvance)).toMatchObject(LOOKS_AGAIN);
  expect(await clockStatus()).toEqual(ADVANCING);
});

test('an activity that Temporal cancelled ends without stopping the clock', async () => {
  const left = whileItWaits(() => activity.cancel('NOT_FOUND'));
  await expect(left).rejects.toThrow(CancelledFailure);
  expect(await clockStatus()).toEqual(ADVANCING);
  await expect(advance()).rejects.toThrow(CancelledFailure);
  expect(await clockStatus()).toEqual(ADVANCING);
});

test('a step that failed for the last time stops only the advance in which it failed', async () => {
  await takeStep('bill');
  await other.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'does not move'; end $$;
    create trigger refuse before update of frozen_at on test_clock for each row when (new.frozen_at <> old.frozen_at)
    execute function refuse();
  `);
  try {
    expect(await whileItWaits(newAdvance)).toMatchObject(LOOKS_AGAIN);
    expect(await clockStatus()).toEqual(ADVANCING);
    expect(await advance()).toMatchObject({ did: ['stopped: database error P0001'], more: false });
    expect(await clockStatus()).toEqual({ status: 'stopped', reason: 'database error P0001' });
  } finally {
    await other.query('drop trigger refuse on test_clock; drop function refuse');
  }
});
