import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Overload } from '../../../billing/failures.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import type { Leave } from '../../../db/fairness/places.ts';
import { createShares } from '../../../db/fairness/shares.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { METADATA } from '../../../db/schema/indexes.ts';
import { asSystem, withAccount } from '../../../db/tenant.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let orm: Database;
/** Requests that got a connection beyond their share. */
let late = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  const onWait = () => {
    late += 1;
  };
  orm = openDatabase({ urls: database.urls, poolSize: 6, onWait });
});
afterAll(async () => {
  await orm.close(true);
  await database.drop();
});

test('40 slow statements of one account do not make another account wait', async () => {
  const ended: string[] = [];
  const ask = async (account: number, seconds: number) => {
    await withAccount(account, () => orm.em.fork().execute('select pg_sleep(?)', [seconds]));
    ended.push(String(account));
  };
  const slow = Array.from({ length: 40 }, () => ask(1, 0.5));
  for (let n = 0; n < 5; n++) await ask(2, 0);
  expect(ended).toEqual(['2', '2', '2', '2', '2']);
  await Promise.all(slow);
  expect(ended).toHaveLength(45);
});

test('the waiting account with the fewest places goes first, and authentication before all', async () => {
  const shares = createShares(6);
  const order: string[] = [];
  const take = async (tenant: number | 'unknown') => {
    const leave = await shares.take(tenant);
    order.push(String(tenant));
    return leave;
  };
  const first = await Promise.all([take(1), take(1), take(1), take(1)]);
  const taking: Promise<Leave>[] = [take(1), take(2), take(1), take(3), take(2), take('unknown'), take(2)];
  expect(shares.waiting).toBeGreaterThan(0);
  for (const leave of first) leave();
  for (const one of taking) (await one)();
  expect(order.slice(4).indexOf('3')).toBeLessThan(order.slice(4).indexOf('1'));
  expect(order.slice(4).indexOf('unknown')).toBeLessThan(order.slice(4).indexOf('1'));
  expect(shares.waiting).toBe(0);
});

test('authentication leaves two places for known accounts', async () => {
  const shares = createShares(6);
  for (let n = 0; n < 10; n++) void shares.take('unknown');
  const known = [await shares.take(1), await shares.take(2)];
  expect([known.length, shares.waiting]).toEqual([2, 6]);
});

test('at most a thousand requests can wait for authentication', async () => {
  const ends: string[] = [];
  const shares = createShares(6, { note: (end) => void ends.push(end) });
  const asked = Array.from({ length: 1004 }, () => shares.take('unknown')); // four of them get a place
  const refused: unknown[] = [];
  void shares.take('unknown').catch((error) => refused.push(error));
  await immediate();
  expect(refused).toEqual([new Overload('Too many requests wait to be authenticated; try again')]);
  expect([shares.waiting, ends]).toEqual([1000, ['refused']]);
  for (const one of asked) (await one)();
  expect(shares.waiting).toBe(0);
});

test('the backlog of an account that is alone again proceeds at all places that it may have alone', async () => {
  const shares = createShares(10);
  (await shares.take(2))();
  const asked = Array.from({ length: 20 }, () => shares.take(1)); // three of them get a place
  (await asked[0])?.();
  expect(shares.waiting).toBe(16);
  await pause(1100); // the other account has sent nothing for a second
  (await asked[1])?.();
  expect(shares.waiting).toBe(10);
});

test('authentication goes before an account without places that has waited longer', async () => {
  const shares = createShares(2);
  const [first, second] = await Promise.all([shares.take(1), shares.take(1)]);
  const order: string[] = [];
  const waiting = ([2, 'unknown'] as const).map(async (tenant) => {
    const leave = await shares.take(tenant);
    order.push(String(tenant));
    leave();
  });
  first?.();
  await Promise.all(waiting);
  second?.();
  expect(order).toEqual(['unknown', '2']);
});

test('an account beyond its share for long gets one extra place at a time, and its waiting is limited', async () => {
  const ends: string[] = [];
  const shares = createShares(10, { late: 200, note: (end) => void ends.push(end) });
  (await shares.take(2))();
  const asked = Array.from({ length: 1003 }, () => shares.take(1));
  await expect(shares.take(1)).rejects.toThrow('Too many requests of this account wait');
  (await shares.take(2))();
  const leaves = await Promise.all(asked.slice(0, 4)); // three are its share, the fourth has waited long enough
  await immediate();
  expect([shares.waiting, ends]).toEqual([999, ['refused', 'late']]);
  for (const leave of leaves) leave();
  for (const one of asked.slice(4)) (await one)();
});

test('lists by metadata, which read over all accounts, leave connections for others', async () => {
  let ended = 0;
  const from = '(select 1 as account_id, pg_sleep(1)::text as slept offset 0)';
  const where = condition(`slept is not null /* ${METADATA} */`);
  const slow = Array.from({ length: 12 }, async () => {
    await withAccount(1, () => readingOf(orm.em.fork(), 1).count({ row: Customer, from, where }, 10));
    ended += 1;
  });
  await asSystem(() => orm.em.fork().execute('select 1'));
  expect(ended).toBe(0);
  await Promise.all(slow);
});

test('work that needs a second connection gets one, even if its account holds the rest', async () => {
  const both = () =>
    withAccount(7, () =>
      orm.em.fork().transactional(async (em) => {
        await em.execute('select 1');
        return orm.em.fork().execute('select 1');
      }),
    );
  expect(await Promise.all(Array.from({ length: 4 }, both))).toHaveLength(4);
});

test('a connection that is lost in a transaction gives its place back', async () => {
  const lose = () =>
    withAccount(8, () =>
      orm.em.fork().transactional((em) => em.execute('select pg_terminate_backend(pg_backend_pid())')),
    );
  for (let n = 0; n < 8; n++) await expect(lose()).rejects.toThrow();
  const before = late;
  await withAccount(8, () => orm.em.fork().execute('select 1'));
  expect(late).toBe(before); // without a free place it would get one beyond its share
});

test('an account that the concurrency limit lets rest waits for its connection, and the time on each is reported', async () => {
  const used: [unknown, boolean][] = [];
  const asked: unknown[] = [];
  let rest = 30;
  const shares = createShares(6, {
    concurrencyLimit: {
      ask: (tenant) => void asked.push(tenant),
      resting: () => [],
      rest: (tenant) => (tenant === 1 ? rest : 0),
      used: (tenant, milliseconds) => void used.push([tenant, milliseconds >= 0]),
    },
  });
  const waiting = shares.take(1);
  (await shares.take(2))();
  (await shares.take('unknown'))();
  (await shares.take('nobody'))();
  expect([used, shares.waiting]).toEqual([[[2, true]], 1]);
  expect(asked).toEqual([1, 2]); // work without an account is nobody's neighbour
  rest = 0;
  (await waiting)();
  expect(used).toEqual([
    [2, true],
    [1, true],
  ]);
});
