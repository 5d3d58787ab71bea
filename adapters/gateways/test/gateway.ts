import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Gateway, GatewayLook } from '../../../commands/ports.ts';
import { confirmOperation } from './confirm.ts';
import { inTransaction, openPool, type Queryable } from './database.ts';
import { listOperations } from './listing.ts';
import { endDue, findOperation, insertOperation, markAbandoned, type OperationRow } from './record.ts';
import { findSource, presentSource } from './sources.ts';

/** How long a `confirm` without an answer hangs, unless the caller's signal ends it before. */
const longestSilenceMilliseconds = 60_000;

export type TestGateway = Gateway & {
  /** Resolves if the gateway's record can be read. Throws if not, for example because the schema is not installed. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The `test` gateway, which is independent of our data. Its record is in the schema `test_gateway`. It uses its own connections and never our
 * transactions, so that its record survives every crash and can be compared with our books. README.md in this folder lists its cards, bank
 * accounts and scripts. `installTestGateway` creates the schema.
 */
export function createTestGateway(options: { databaseUrl: string; log?: Pick<Logger, 'warn'> }): TestGateway {
  const pool = openPool(options.databaseUrl, options.log);
  return {
    name: 'test',
    async ready() {
      await pool.query('select from test_gateway.operation limit 0');
    },
    close: () => pool.end(),
    async prepare(operation, at, signal) {
      signal.throwIfAborted();
      return { reference: await insertOperation(pool, operation, at) };
    },
    async confirm(reference, at, signal) {
      signal.throwIfAborted();
      const { outcome, answered } = await inTransaction(pool, (client) => confirmOnce(client, reference, at));
      if (answered && outcome.status !== 'unconfirmed') return outcome;
      await sleep(longestSilenceMilliseconds, undefined, { signal, ref: false });
      throw new Error('The test gateway did not answer');
    },
    async look(reference, at, signal) {
      signal.throwIfAborted();
      const operation = await findOperation(pool, reference);
      return operation ? lookAgain(pool, operation, at) : { status: 'not_found' };
    },
    async abandon(reference, signal) {
      signal.throwIfAborted();
      return abandon(pool, reference);
    },
    async list(range, signal) {
      signal.throwIfAborted();
      return listOperations(pool, range);
    },
  };
}

/** Confirms an operation. Because of the row lock, a concurrent second confirm waits, and then returns the outcome of the first. */
async function confirmOnce(client: pg.PoolClient, reference: string, at: number) {
  const operation = await findOperation(client, reference, 'for update');
  if (!operation) throw new Error(`The test gateway does not know ${reference}`);
  if (operation.status !== 'unconfirmed') return { outcome: await lookAgain(client, operation, at), answered: true };
  const done = await confirmOperation(client, operation, at);
  return { outcome: await outcomeOf(client, done.operation), answered: done.answered };
}

async function lookAgain(db: Queryable, operation: OperationRow, at: number) {
  if (operation.status !== 'pending') return outcomeOf(db, operation);
  await endDue(db, operation.reference, at);
  return outcomeOf(db, (await findOperation(db, operation.reference)) ?? operation);
}

/** Abandons an operation. True if it can no longer happen: it is abandoned, was declined, or does not exist. */
async function abandon(db: Queryable, reference: string): Promise<boolean> {
  await markAbandoned(db, reference);
  const operation = await findOperation(db, reference);
  return !operation || operation.status === 'abandoned' || operation.status === 'failed';
}

async function outcomeOf(
  db: Queryable,
  operation: OperationRow,
): Promise<Exclude<GatewayLook, { status: 'not_found' }>> {
  switch (operation.status) {
    case 'unconfirmed':
      return { status: 'unconfirmed' };
    case 'succeeded':
    case 'pending':
      return { status: operation.status, source: await sourceOf(db, operation) };
    case 'abandoned':
      return { status: 'abandoned' };
    case 'failed':
      return {
        status: 'failed',
        kind: operation.decline_kind ?? 'hard',
        code: operation.decline_code ?? 'unknown',
        message: operation.decline_message ?? 'The gateway gave no reason.',
        source: await sourceOf(db, operation),
      };
  }
}

/** The stored source that an operation used or created. Null for a deletion, and for a token that was not stored. */
async function sourceOf(db: Queryable, operation: OperationRow) {
  if (operation.kind === 'delete_source' || !operation.source_reference) return null;
  const source = await findSource(db, operation.source_reference);
  return source && source.account_id === operation.account_id ? presentSource(source) : null;
}
