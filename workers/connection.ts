import { hostname } from 'node:os';
import pg from 'pg';
import { connectTimeout } from '../db/connectTimeout.ts';
import { readNumbers } from '../db/pooledConnection.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';
import { StatementNames } from '../db/statementNames.ts';

/** A dedicated connection for work that must not go through a pool: session locks, notifications, the relay's statements. */
export interface Connection extends Sql {
  /** Runs work in a transaction on this connection. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  onNotification(listener: () => void): void;
  close(): Promise<void>;
  readonly isOpen: boolean;
}

/**
 * Opens a dedicated connection. `isOpen` becomes false when the server closes it. `longest`: milliseconds after which a statement without an
 * answer closes it, because the server hangs; null: never.
 */
export async function connect(url: string, longest: number | null = null): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeout(url),
    keepAlive: true,
    application_name: `perennial ${hostname()} ${process.pid}`, // PostgreSQL shows it beside a lock
  });
  readNumbers(client);
  let isOpen = true;
  client.on('error', () => {
    isOpen = false;
  });
  client.on('end', () => {
    isOpen = false;
  });
  await client.connect();
  const names = new StatementNames();
  const isInTransaction = () => client.getTransactionStatus() !== 'I';
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const sent = names.send({ text, values }, isInTransaction, (name) =>
      client.query({ text, values: [...values], ...(name ? { name } : {}) }),
    );
    const result = await (longest === null ? sent : answeredWithin(longest, { sent, giveUp: () => client.end() }));
    return result.rows;
  };
  return {
    query,
    async transaction(work) {
      await query('begin');
      try {
        const result = await work();
        await query('commit');
        return result;
      } catch (error) {
        await query('rollback').catch(() => undefined);
        throw error;
      }
    },
    onNotification: (listener) => void client.on('notification', listener),
    close: () => client.end(),
    get isOpen() {
      return isOpen;
    },
  };
}

/** The result of a statement. Gives up after a time; an answer that has arrived while this process did not run counts. */
async function answeredWithin<T>(
  milliseconds: number,
  { sent, giveUp }: { sent: Promise<T>; giveUp: () => Promise<unknown> },
): Promise<T> {
  let isOver = false;
  const timer = setTimeout(() => setImmediate(() => isOver || void giveUp()), milliseconds);
  return await sent.finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
}
