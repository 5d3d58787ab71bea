import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Connection } from '../../workers/connection.ts';
import { wakeBatches } from '../../workers/relayWakes.ts';
import type { WakeShare } from '../../workers/stepShare.ts';
import type { Wake } from '../../workflows/client.ts';

const MANY = 1;
const FEW = 2;

/** An outbox in memory. One account has nearly all rows, and they are leased first. */
function outbox(rows: number) {
  const asked: number[] = [];
  const shares: (readonly unknown[])[] = [];
  const query = async (statement: string, values: readonly unknown[] = []) => {
    if (!statement.includes('with recursive waiting')) return [];
    const limit = Number(values[2]);
    asked.push(limit);
    shares.push(values.slice(4));
    const row = (accountId: number, n: number) => ({
      id: String(n),
      accountId,
      environment: 'live',
      topic: 'invoice',
      subjectId: n,
      customerId: 1,
      shard: 0,
      startAt: null,
      recovered: false,
      number: null,
      amount: null,
      currency: null,
      kind: null,
      method: null,
    });
    const leased = Array.from({ length: Math.min(limit, rows) - 1 }, (_, n) => row(MANY, n + 1));
    return [...leased, row(FEW, rows + 1)];
  };
  const connection = { query, isOpen: true } as unknown as Connection;
  return { asked, shares, connection };
}

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const systemNow = () => new Date(0);

test("with a slow Temporal a relay leases as many rows as it wakes in a quarter of a second, each account's first row first", async () => {
  const { asked, connection } = outbox(1000);
  const woken: number[] = [];
  const wake = async ({ accountId }: Wake) => {
    woken.push(accountId);
    await pause(50);
  };
  const handleBatch = wakeBatches({ wake, systemNow, log })(connection);
  for (let n = 0; n < 3; n++) expect(await handleBatch()).toBe(true);
  expect(woken.indexOf(FEW)).toBeLessThan(2);
  expect(Math.max(...asked)).toBeLessThanOrEqual(160); // 32 at a time, each 50 ms
});

test('with a fast Temporal a relay leases more at a time', async () => {
  const { asked, connection } = outbox(1000);
  const handleBatch = wakeBatches({ wake: async () => undefined, systemNow, log })(connection);
  for (let n = 0; n < 3; n++) await handleBatch();
  expect(asked.at(-1)).toBeGreaterThan(asked[0] ?? 0);
});

test('it leases no more of an account than its share, and nothing of those that rest, have enough at work or are crowded', async () => {
  const { shares, connection } = outbox(10);
  const share = (): WakeShare => ({ most: 16, except: [MANY], crowded: [{ accountId: 7, process: 'clock' }] });
  await wakeBatches({ wake: async () => undefined, systemNow, log, share })(connection)();
  await wakeBatches({ wake: async () => undefined, systemNow, log })(connection)();
  expect(shares).toEqual([
    [16, [MANY], ['7/clock']],
    [100, [], []],
  ]);
});

test('it goes on at once when an account has reached its share', async () => {
  const share = (most: number) => () => ({ most, except: [], crowded: [] });
  const goesOn = (most: number) =>
    wakeBatches({ wake: async () => undefined, systemNow, log, share: share(most) })(outbox(10).connection)();
  expect(await goesOn(4)).toBe(true);
  expect(await goesOn(50)).toBe(false);
});
