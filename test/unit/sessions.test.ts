import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unfitSessions } from '../../db/sessions.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const servers: Connection[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  for (let n = 0; n < 3; n++) servers.push(await connect(database.urls.app));
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.drop();
});

/** A transaction pooler with `count` sessions. A client has a session during its transaction. `last`: the most recently returned one is reused. */
function pooler(count: number, last: boolean): () => Promise<Pick<Connection, 'query' | 'close'>> {
  const idle = servers.slice(0, count);
  const take = () => (last ? idle.pop() : idle.shift());
  return async () => {
    let session: Connection | undefined;
    return {
      query: async (text, values) => {
        session ??= take();
        if (!session) throw new Error('no session left');
        const rows = await session.query<never>(text, values);
        if (text === 'begin') return rows;
        const isOver = text === 'rollback' || (await inTransaction(session)) === false;
        if (isOver) idle.push(session);
        if (isOver) session = undefined;
        return rows;
      },
      close: async () => undefined,
    };
  };
}

/** Whether the session is in a transaction: then the transaction is older than the statement. */
async function inTransaction(session: Connection): Promise<boolean> {
  const [row] = await session.query<{ open: boolean }>('select now() < statement_timestamp() as open');
  return row?.open ?? false;
}

test('sessions of the server, or of a pooler that keeps them, are accepted', async () => {
  expect(await unfitSessions(() => connect(database.urls.app))).toBeNull();
});

test.each([
  [2, 'last'],
  [2, 'first'],
  [3, 'last'],
  [3, 'first'],
])(
  'a pooler of transactions with %i sessions that hands out the one given back %s is refused',
  async (count, which) => {
    expect(await unfitSessions(pooler(count, which === 'last'))).toMatch(
      /pools transactions .* needs one that pools sessions/,
    );
  },
);

test('a login without time limits is refused', async () => {
  expect(await unfitSessions(() => connect(database.url))).toMatch(/no limits of time: run `migrate`/);
});
