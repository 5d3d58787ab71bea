import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uncheckedSuppressions } from '../../../db/queries/bounces/bounces.ts';
import { eventsWithSecrets } from '../../../db/queries/charges/gatewayEvents.ts';
import {
  enqueueDue,
  enqueueDueMail,
  readClockWork,
  sweepAdvancing,
  sweepIdleClocks,
} from '../../../db/queries/clocks/clocks.ts';
import { appendEvents } from '../../../db/queries/events/eventLog.ts';
import { dueEmails, nextEmailAt } from '../../../db/queries/mail/emails.ts';
import { claimWakes } from '../../../db/queries/processes/outbox.ts';
import { readBacklog } from '../../../db/queries/processes/queues.ts';
import { reconcileWakeups } from '../../../db/queries/processes/reconcile.ts';
import { longOverdue, sweepAttempts, sweepPumps, sweepWakeups } from '../../../db/queries/processes/sweep.ts';
import { dueHeads, nextLaneAt } from '../../../db/queries/webhooks/deliveries.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { busyRows, CLOCK, PUMP } from '../../support/busyRows.ts';
import { type LookWork, look } from '../../support/looks.ts';

/** The repeated queries of workers for due work, among some 100,000 rows that are done, due on another day, or on another clock. */

const NOW = new Date('2027-03-01T12:00:00Z');
const BEFORE = new Date(NOW.getTime() - 60_000);

let api: TestApi;
let account: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => NOW });
  account = api.sandbox.account.id;
  await busyRows(api, NOW);
});
afterAll(() => api.close());

const looks: [string, LookWork][] = [
  ['a clock: what is left to be done and what comes next', { em: (em) => readClockWork(em, clock(), NOW) }],
  ['a clock: enqueuing its due processes', { em: (em) => enqueueDue(em, clock(), NOW) }],
  ['a clock: enqueuing its due mail', { em: (em) => enqueueDueMail(em, clock(), NOW) }],
  ['the sweep: wake-ups', { sql: (sql) => sweepWakeups(sql, { now: NOW, before: BEFORE, limit: 1000 }) }],
  [
    'the sweep: what is long overdue',
    { sql: (sql) => longOverdue(sql, { before: BEFORE, handedBefore: BEFORE, movedSince: BEFORE, limit: 20 }) },
  ],
  ['the sweep: attempts', { sql: (sql) => sweepAttempts(sql, { now: NOW, before: BEFORE, limit: 1000 }) }],
  ['the sweep: suppressions of earlier versions', { sql: (sql) => uncheckedSuppressions(sql, 500) }],
  ['the sweep: client secrets of earlier versions', { sql: (sql) => eventsWithSecrets(sql, 500) }],
  ['the sweep: pumps', { sql: (sql) => sweepPumps(sql, { now: NOW, before: BEFORE }) }],
  ['the sweep: clocks', { sql: (sql) => sweepAdvancing(sql, { now: NOW, before: BEFORE }) }],
  [
    'the sweep: idle clocks',
    { sql: (sql) => sweepIdleClocks(sql, { accountId: account, id: 100 }, { now: NOW, limit: 20 }) },
  ],
  [
    'the relay: wakes',
    {
      sql: (sql) =>
        claimWakes(sql, {
          now: NOW,
          leaseMilliseconds: 10_000,
          limit: 20,
          ofOne: 20,
          except: [],
          crowded: [],
          recovered: 10,
        }),
    },
  ],
  ['the relay: events', { sql: (sql) => appendEvents(sql, { now: NOW, limit: 20 }) }],
  [
    'the pump of mail: what is due',
    { em: (em) => dueEmails(em, { accountId: account, limit: 20, busy: new Set() }, NOW) },
  ],
  ['the pump of mail: when to look again', { em: (em) => nextEmailAt(em, account) }],
  ['a pump of webhooks: what is due', { em: (em) => dueHeads(em, { ...pump(), limit: 20 }, NOW) }],
  ['a pump of webhooks: when to look again', { em: (em) => nextLaneAt(em, pump()) }],
  [
    'the rebuild: processes',
    {
      sql: (sql) =>
        reconcileWakeups(sql, { accountId: account, process: 'invoice', subjectId: 15_000 }, { now: NOW, limit: 20 }),
    },
  ],
  ['the rebuild: pumps', { sql: (sql) => sweepPumps(sql, { now: NOW, before: new Date('9999-01-01') }) }],
  ['the rebuild: attempts', { sql: (sql) => sweepAttempts(sql, { now: NOW, before: NOW, limit: 1_000_000 }) }],
];

const clock = () => ({ accountId: account, id: CLOCK });
const pump = () => ({ accountId: account, id: PUMP, shard: 0 });

test.each(looks)('%s', async (_, work) => {
  const { rows, pages, sequentialScans, indexes } = await look(api, work);
  const read = { rows, pages, indexes };
  expect({ sequentialScans, read }).toEqual({ sequentialScans: [], read }); // a failure shows the indexes, too
  expect({ ...read, isLittle: rows <= 100 && pages <= 300 }).toEqual({ ...read, isLittle: true });
  expect(rows).toBeGreaterThan(0);
});

test('the metrics of a worker read retried emails by an index of their own, among all that are queued', async () => {
  const { indexes } = await look(api, { sql: (sql) => readBacklog(sql, NOW) });
  expect(indexes).toContain('email_retried');
});
