import type { Logger } from 'pino';
import type { TestChallenges } from '../../../billing/payments/presentPayer.ts';
import type { DescribedSource, Gateway, GatewayLook } from '../../../commands/ports/ports.ts';
import { challengePath, challengesIn, isChallenged } from './challenges.ts';
import { confirmOperation } from './confirm.ts';
import { inTransaction, openPool, prepared, type Queryable } from './database.ts';
import { readTestEvent, sendDueEvents } from './events.ts';
import { createFaultyLine, type GatewayFaults } from './faults.ts';
import { createGatewayConnection, rejectionOf } from './hanging.ts';
import { readToken, type TestInstrument } from './instruments.ts';
import { listOperations } from './listing.ts';
import { endDue, findOperation, insertOperation, markAbandoned, type OperationRow } from './record.ts';
import { planReversals, readReversals } from './reversals.ts';
import { presentSource, type SourceRow, sourceOf } from './sources.ts';

export type TestGateway = Gateway &
  Required<Pick<Gateway, 'challenge'>> & {
    /** The challenges of payers, which its page shows and answers. */
    challenges: TestChallenges;
    /** Resolves if the gateway's record can be read. Throws if not, for example because the schema is not installed. */
    ready(): Promise<void>;
    /** Sends the due events to the API at a URL. Returns the number of those that it accepted. */
    sendEvents(url: string): Promise<number>;
    /** From now on some answers get lost, and some events come again or late. Null: no more. */
    misbehave(faults: GatewayFaults | null): void;
    /** Ends the calls that hang, as a broken connection does: each throws. Otherwise they hang until their signal aborts. */
    hangUp(): void;
    close(): Promise<void>;
  };

export interface TestGatewayOptions {
  databaseUrl: string;
  /** The secret that signs the events of an account, `whsec_…`. */
  eventSecret: (accountId: number) => string;
  /** Milliseconds of real time from a charge to the return or dispute that follows it. */
  eventDelay?: number;
  /** The public origin of the page on which payers answer challenges. */
  publicUrl: string;
  log?: Pick<Logger, 'warn'>;
}

const EVENT_DELAY_MILLISECONDS = 2000;

const NOT_FOUND = Promise.resolve({ status: 'not_found' as const });

/**
 * The `test` gateway, which is independent of our data. Its record is in the schema `test_gateway`. It uses its own connections and never our
 * transactions, so that its record survives every crash and can be compared with our books. docs/test-gateway.md lists its cards, bank
 * accounts and scripts. `installTestGateway` creates the schema.
 */
export function createTestGateway(options: TestGatewayOptions): TestGateway {
  const { eventSecret, eventDelay: delay = EVENT_DELAY_MILLISECONDS, publicUrl } = options;
  const pool = openPool(options.databaseUrl, options.log);
  const db = prepared(pool);
  const line = createFaultyLine();
  const { orBroken, hangUp } = createGatewayConnection();
  return {
    name: 'test',
    misbehave: line.misbehave,
    hangUp,
    async ready() {
      await pool.query('select from test_gateway.operation limit 0');
    },
    close() {
      hangUp();
      return pool.end();
    },
    async prepare(operation, at, signal) {
      signal.throwIfAborted();
      return { reference: await line.heard(insertOperation(db, operation, at)) };
    },
    async confirm(reference, at, signal) {
      signal.throwIfAborted();
      const ended = orBroken(signal);
      const { outcome, answered } = await line.heard(
        inTransaction(pool, (transaction) => confirmOnce(transaction, reference, { at, delay })),
      );
      if (answered && outcome.status !== 'unconfirmed') return outcome;
      return rejectionOf(ended);
    },
    async look(reference, at, signal) {
      signal.throwIfAborted();
      const operation = await findOperation(db, reference);
      return line.heard<GatewayLook>(operation ? lookAgain(db, operation, at) : NOT_FOUND);
    },
    async abandon(reference, signal) {
      signal.throwIfAborted();
      return line.heard(abandon(db, reference));
    },
    async challenge(reference, _at, signal) {
      signal.throwIfAborted();
      const operation = await line.heard(findOperation(db, reference));
      return isChallenged(operation) ? `${publicUrl}${challengePath(reference)}` : null;
    },
    challenges: challengesIn(pool, delay),
    async describe(token, signal) {
      signal.throwIfAborted();
      return describedBy(readToken(token));
    },
    async list(range, signal) {
      signal.throwIfAborted();
      return line.heard(listOperations(db, range));
    },
    async reversals(reference, at, signal) {
      signal.throwIfAborted();
      return line.heard(readReversals(db, reference, at));
    },
    readEvent: (message) => readTestEvent(message, eventSecret(Number(message.configuration.split('_')[1]))),
    sendEvents: (url) => sendDueEvents(db, { url, secretOf: eventSecret, line }),
  };
}

function describedBy(instrument: TestInstrument | null): DescribedSource | null {
  if (!instrument) return null;
  const { type, brand, funding, last4 } = instrument;
  return { type, brand, funding, last4 };
}

/** Confirms an operation. Because of the row lock, a concurrent second confirm waits, and then returns the outcome of the first. */
async function confirmOnce(db: Queryable, reference: string, { at, delay }: { at: number; delay: number }) {
  const operation = await findOperation(db, reference, 'for update');
  if (!operation) throw new Error(`The test gateway does not know ${reference}`);
  if (operation.status !== 'unconfirmed') return { outcome: await lookAgain(db, operation, at), answered: true };
  const done = await confirmOperation(db, operation, at);
  const source = await sourceOf(db, done.operation);
  await planReversals(db, { operation: done.operation, source }, { at, delay });
  return { outcome: outcomeOf(done.operation, source), answered: done.answered };
}

async function lookAgain(db: Queryable, operation: OperationRow, at: number) {
  const isPending = operation.status === 'pending';
  if (isPending) await endDue(db, operation.reference, at);
  const now = (isPending && (await findOperation(db, operation.reference))) || operation;
  return outcomeOf(now, await sourceOf(db, now));
}

/** Abandons an operation. True if it can no longer happen: it is abandoned, was declined, or does not exist. */
async function abandon(db: Queryable, reference: string): Promise<boolean> {
  await markAbandoned(db, reference);
  const operation = await findOperation(db, reference);
  return !operation || operation.status === 'abandoned' || operation.status === 'failed';
}

/** `stored`: the source that the operation used or created. */
function outcomeOf(operation: OperationRow, stored: SourceRow | null): Exclude<GatewayLook, { status: 'not_found' }> {
  const source = stored && presentSource(stored);
  switch (operation.status) {
    case 'unconfirmed':
      return { status: 'unconfirmed' };
    case 'succeeded':
    case 'pending':
      return { status: operation.status, source };
    case 'abandoned':
      return { status: 'abandoned' };
    case 'failed':
      return {
        status: 'failed',
        kind: operation.decline_kind ?? 'hard',
        code: operation.decline_code ?? 'unknown',
        message: operation.decline_message ?? 'The gateway gave no reason.',
        source,
      };
  }
}
