import type pg from 'pg';
import type { TestChallenge, TestChallenges } from '../../../billing/payments/presentPayer.ts';
import { endChallenge } from './confirm.ts';
import { inTransaction, prepared } from './database.ts';
import { findOperation, type OperationRow } from './record.ts';
import { planReversals, tellEnded } from './reversals.ts';
import { sourceOf } from './sources.ts';

/** The path of the page on which the payer of an operation answers its challenge. */
export const challengePath = (reference: string): string => `/test_gateway/challenges/${reference}`;

export function isChallenged(operation: OperationRow | undefined): boolean {
  return operation?.status === 'pending' && operation.challenge === 'open';
}

/** The challenges of the test gateway, for its page. `delay`: milliseconds of real time to the dispute of a charge. */
export function challengesIn(pool: pg.Pool, delay: number): TestChallenges {
  const db = prepared(pool);
  return {
    async read(reference) {
      const operation = await findOperation(db, reference);
      return operation ? presented(operation) : null;
    },
    answer: (reference, isPassed) =>
      inTransaction(pool, async (transaction) => {
        const operation = await findOperation(transaction, reference, 'for update');
        if (!operation || !isChallenged(operation)) return false;
        const ended = await endChallenge(transaction, operation, isPassed);
        const source = await sourceOf(transaction, ended);
        await planReversals(transaction, { operation: ended, source }, { at: operation.prepared_at.getTime(), delay });
        await tellEnded(transaction, ended);
        return true;
      }),
  };
}

function presented(operation: OperationRow): TestChallenge | null {
  const { account_id, customer_id, amount, currency, return_url: returnUrl, challenge } = operation;
  if (challenge === null || returnUrl === null) return null;
  const payer = { accountId: Number(account_id), customerId: Number(customer_id) };
  return { ...payer, amount, currency, returnUrl, isOpen: isChallenged(operation) };
}
