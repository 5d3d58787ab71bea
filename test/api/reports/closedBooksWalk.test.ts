import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';
import { BooksWalk } from '../../support/booksWalk.ts';
import { randomOf } from '../../support/random.ts';

/** Random books: nothing changes a closed month, whatever happens later; open books agree with aging on every day. */

const DAY = 86_400_000;
const BEGIN = Date.parse('2027-01-10T12:00:00Z');
const time = { now: BEGIN };
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(time.now) });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

async function rowsOf(client: Client, path: string) {
  return successBody(await client.get(`/reports/${path}`)).rows;
}

/** The closing balance of each ledger account at the end of a day, and their sum in cents. */
async function balances(client: Client, day: string, more = '') {
  const rows = await rowsOf(client, `trial_balance?start=${day}&end=${day}${more}`);
  const found = rows.flatMap((row: { ledger_account: string; closing: number }) =>
    row.closing === 0 ? [] : [[row.ledger_account, row.closing]],
  );
  const cents = found.reduce((sum: number, [, amount]: [string, number]) => sum + Math.round(amount * 100), 0);
  return { of: Object.fromEntries(found), cents };
}

test.each([6, 8])('a closed month stays as it was, seed %i', async (seed) => {
  time.now = BEGIN;
  const { sandbox: client } = await api.open(`Closed ${seed}`);
  await client.patch('/account', { time_zone: ['UTC', 'America/New_York', 'Pacific/Auckland'][seed % 3] });
  const walk = new BooksWalk({ api, client, time }, seed);
  await walk.start();
  const closed = new Map<string, object>();
  const unchanged = async () => {
    for (const [day, then] of closed) expect([day, (await balances(client, day)).of]).toEqual([day, then]);
  };
  for (let step = 0; step < 160; step++) {
    await walk.step();
    const lastDay = dayOf(Date.parse(`${dayOf(time.now - DAY).slice(0, 7)}-01T00:00:00Z`) - DAY);
    if (step % 3 !== 0 || closed.has(lastDay) || lastDay < '2027-01-31') continue;
    await unchanged();
    successBody(await client.patch('/account', { books_closed_through: lastDay }));
    closed.set(lastDay, (await balances(client, lastDay)).of);
  }
  await unchanged();
  expect(closed.size).toBeGreaterThan(1);
  const late = await rowsOf(client, `journal?start=2027-01-01&end=${dayOf(time.now)}`);
  expect(late.filter((row: { late: boolean }) => row.late).length).toBeGreaterThan(20);
  const random = randomOf(seed);
  for (let n = 0; n < 8; n++) {
    const day = dayOf(BEGIN - 20 * DAY + random() * (time.now - BEGIN + 20 * DAY));
    const open = await balances(client, day, '&books=open');
    expect([day, (await balances(client, day)).cents, open.cents]).toEqual([day, 0, 0]);
    const aged = successBody(await client.get(`/reports/aging?as_of=${day}`)).totals[0];
    const { receivable = 0, unapplied = 0 } = open.of;
    expect([day, receivable, unapplied]).toEqual([day, aged?.total ?? 0, 0 - (aged?.unapplied ?? 0)]);
  }
  expect(
    (await auditDatabase(api.databaseUrls.system)).filter((drift) => drift.accountId === client.account.id),
  ).toEqual([]);
});
