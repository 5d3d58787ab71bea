import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, connect } from '../../../workers/connection.ts';
import { startRelay } from '../../../workers/relay.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { rowsOf } from '../../support/dueWork.ts';
import { until } from '../../support/wait.ts';

/** The rows that a relay reads for a batch depend on the batch, not on how many rows are due at once. */

const NOW = new Date('2027-03-01T12:00:00Z');
/** PostgreSQL keeps a plan from the sixth execution on. */
const EXECUTIONS = 6;
/** For each row of a batch: when it is looked for, locked, and changed. */
const READS = 3;
/** For each batch, whatever its size. */
const OTHERS = 20;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => NOW });
});
afterAll(() => api.close());

/** A statement of the relay that takes rows of the outbox. */
interface Batch {
  kind: 'wakes' | 'events';
  taken: number;
  /** Rows of the outbox that it read. */
  read: number;
}

const kindOf = (text: string): Batch['kind'] | null => {
  if (text.startsWith('with recursive waiting')) return 'wakes';
  return text.startsWith('with due as') ? 'events' : null;
};

/** A connection of the relay that reports its batches. */
async function reporting(batches: Batch[]): Promise<Connection> {
  const connection = await connect(api.databaseUrls.system);
  let isInTransaction = false;
  const readUntilNow = async () => {
    const [row] = await connection.query<{ read: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'outbox'`,
    );
    return row?.read ?? 0;
  };
  const report = async <Row>(kind: Batch['kind'], text: string, values?: readonly unknown[]): Promise<Row[]> => {
    const before = await readUntilNow();
    const rows = await connection.query<Row>(text, values);
    batches.push({ kind, taken: rows.length, read: (await readUntilNow()) - before });
    return rows;
  };
  return {
    query(text, values) {
      const kind = kindOf(text);
      if (!kind) return connection.query(text, values);
      const reported = () => report<never>(kind, text, values);
      return isInTransaction ? reported() : connection.transaction(reported);
    },
    transaction: (work) =>
      connection.transaction(async () => {
        isInTransaction = true;
        return await work().finally(() => {
          isInTransaction = false;
        });
      }),
    onNotification: connection.onNotification,
    close: connection.close,
    get isOpen() {
      return connection.isOpen;
    },
  };
}

const ofKind = (batches: readonly Batch[], kind: Batch['kind']) => batches.filter((batch) => batch.kind === kind);

const left = async () => {
  const [row] = await rowsOf<{ count: number }>(api, 'select count(*)::int as count from outbox', []);
  return row?.count;
};

/** Adds wakes, and events in the same number, at once. */
const fill = (count: number) =>
  api.em.fork().execute(
    `insert into outbox (account_id, topic, subject_id, event_id, due_at)
     select ?, topic, n, case topic when 'event' then n end, ?::timestamptz
     from generate_series(1, ?::int) n, unnest(array['invoice', 'event']) topic`,
    [api.sandbox.account.id, NOW, count],
  );

test('a batch reads no more rows when 5,000 are due at once, with plans made for an empty outbox', async () => {
  const batches: Batch[] = [];
  const relay = startRelay({
    open: () => reporting(batches),
    cipher: api.deps.cipher,
    wake: async () => undefined,
    systemNow: () => NOW,
    log: { ...api.deps.log, debug: () => undefined },
  });
  try {
    await until(async () => (await left()) === 0, { what: 'an empty outbox' });
    await api.em.fork().execute('analyze outbox');
    batches.length = 0;
    await until(() => ofKind(batches, 'wakes').length > EXECUTIONS && ofKind(batches, 'events').length > EXECUTIONS, {
      what: 'kept plans',
    });
    batches.length = 0;
    await fill(5000);
    relay.poke();
    await until(async () => (await left()) === 0, { what: 'all rows taken' });
    const sum = (kind: Batch['kind']) => ofKind(batches, kind).reduce((total, { taken }) => total + taken, 0);
    expect({ wakes: sum('wakes'), events: sum('events') }).toEqual({ wakes: 5000, events: 5000 });
    expect(batches.filter(({ taken, read }) => read > READS * taken + OTHERS)).toEqual([]);
  } finally {
    await relay.close();
  }
});
