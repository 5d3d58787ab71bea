import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { append } from '../../../db/appending.ts';
import { openDatabase } from '../../../db/database.ts';
import { openDatabaseAsOwner } from '../../../db/migrate.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { writingOf } from '../../../db/queries/kernel/writing.ts';
import { AttemptCredit } from '../../../db/schema/attemptCredit.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { Outbox } from '../../../db/schema/outbox.ts';
import { TestClockStep } from '../../../db/schema/testClockStep.ts';
import { asAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** Rows that commands append are written with the transaction that adds them, or it is refused: none is lost in silence. */

const AT = new Date(Date.UTC(2027, 2, 1));
let api: TestApi;
let accountId: number;
let clock: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => AT });
  accountId = api.sandbox.account.id;
  clock = (await api.sandbox.make('/test_clocks', { frozen_time: AT.getTime() / 1000 })).id;
});
afterAll(() => api.close());

const wake = (em: EntityManager) => append(em, Outbox, { accountId, topic: 'clock', subjectId: clock, dueAt: AT });
const step = (em: EntityManager, did = 'looked') =>
  append(em, TestClockStep, {
    accountId,
    testClock: [accountId, clock],
    advance: 1,
    at: AT,
    subjectType: 'customer',
    subjectId: 1,
    did,
  });

test('a database opened without AppendedRows refuses to append', async () => {
  const owner = await openDatabaseAsOwner(api.databaseUrl);
  await expect(inTransaction(owner.em, async (em) => wake(em))).rejects.toThrow('opened without AppendedRows');
  await owner.close(true);
});

test('appending outside a transaction is refused', () => {
  expect(() => wake(api.em.fork())).toThrow('in transactions only');
});

test('a reference to an object without an id is refused', async () => {
  const credit = { accountId, attempt: [accountId, 1], type: 'invoice', amount: '5' } as const;
  const unsaved = new Invoice();
  const added = asAccount(accountId, () =>
    inTransaction(api.em, async (em) => append(em, AttemptCredit, { ...credit, invoice: unsaved })),
  );
  await expect(added).rejects.toThrow('invoice refers to a row that has no id');
});

test('omitted columns get their default when appended, and are empty when written otherwise', () => {
  const { added, given } = writingOf(api.em.fork(), Outbox);
  const rows = [{ topic: 'clock' }, { topic: 'clock', shard: null }];
  expect(JSON.parse(added(rows))).toEqual([
    { topic: 'clock', shard: 0, recovered: false },
    { topic: 'clock', recovered: false },
  ]);
  expect(JSON.parse(given(rows))).toEqual([{ topic: 'clock' }, { topic: 'clock' }]);
});

test('an appended row keeps the values of that time', async () => {
  const row = { accountId, testClock: [accountId, clock] as [number, number], advance: 1, at: AT, did: 'looked' };
  await asAccount(accountId, () =>
    inTransaction(api.em, async (em) => {
      append(em, TestClockStep, Object.assign(row, { subjectType: 'invoice', subjectId: 1 }));
      row.did = 'changed';
    }),
  );
  const [written] = await api.em.fork().find(TestClockStep, { accountId, subjectType: 'invoice' });
  expect(written?.did).toBe('looked');
});

test('the statement does not depend on the order of rows, and any text is accepted', async () => {
  const texts: string[] = [];
  const database = openDatabase({
    urls: api.databaseUrls,
    poolSize: 1,
    onQuery: (sql) => void (/insert into/.test(sql) && texts.push(sql.replace(/\[(params|took).*/s, ''))),
  });
  const commit = (work: (em: EntityManager) => void) =>
    asAccount(accountId, () => inTransaction(database.em, async (em) => work(em)));
  await commit((em) => {
    wake(em);
    step(em, 'said \ud83d, not \\ud83d'); // half of a character, which PostgreSQL does not take
  });
  await commit((em) => {
    step(em);
    wake(em);
  });
  const steps = await api.em.fork().find(TestClockStep, { accountId, subjectType: 'customer' }, { orderBy: { id: 1 } });
  await database.close(true);
  expect(steps.map(({ did }) => did)).toEqual(['said \ufffd, not \\ud83d', 'looked']);
  expect(texts.length).toBe(2);
  expect(texts[0]).toMatch(/json_populate_recordset/);
  expect(texts[1]).toBe(texts[0]);
});
