import type { DeclineKind } from '../../billing/payments/declines.ts';
import type { Interruption } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { attemptInWords, declinedInWords } from '../../present/payments/attempt.ts';
import type { Cipher } from '../ports/ports.ts';
import { lookForPayer } from './attempts.ts';
import type { AttemptDeps } from './openAttempt.ts';

/** Names an attempt by its random key, which the page that began the attempt knows. A key of another form names no attempt. */
export interface AttemptName {
  accountId: number;
  key: string;
}

/**
 * The state of an attempt, as the page shows it that began it. `open`: it is being processed. `challenge`: the payer has to authenticate at
 * `url`. `pending`: accepted, the outcome comes later. `abandoned`: it never happened and never will; the payer can try again.
 */
export type AttemptStatus = { attempt: Attempt } & (
  | { status: 'open' }
  | { status: 'challenge'; url: string }
  | { status: 'pending' | 'succeeded'; payment: Payment | null }
  | { status: 'failed'; kind: DeclineKind; code: string; message: string }
  | { status: 'abandoned'; why: Interruption; message: string }
);

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The state of an attempt. Null: there is none. `payment`: that of a charge. */
export async function statusOfAttempt(
  em: EntityManager,
  cipher: Cipher,
  name: AttemptName,
): Promise<AttemptStatus | null> {
  const attempt = await findAttempt(em, name);
  if (!attempt) return null;
  switch (attempt.state) {
    case 'open':
      return { attempt, status: 'open' };
    case 'waiting':
      return { attempt, status: 'challenge', url: cipher.decrypt(attempt.sealedChallenge ?? '') };
    case 'unknown':
    case 'pending':
      return { attempt, status: 'pending', payment: await paymentOf(em, attempt) };
    case 'succeeded':
      return { attempt, status: 'succeeded', payment: await paymentOf(em, attempt) };
    case 'failed': {
      const { declineKind: kind, failureCode: code } = attempt;
      return { attempt, status: 'failed', kind: kind ?? 'soft', code: code ?? '', message: declinedInWords(attempt) };
    }
    case 'abandoned':
      return {
        attempt,
        status: 'abandoned',
        why: attempt.interruption ?? 'not_made',
        message: attemptInWords(attempt),
      };
  }
}

async function findAttempt(em: EntityManager, { accountId, key }: AttemptName): Promise<Attempt | null> {
  return KEY.test(key) ? em.findOne(Attempt, { accountId, key }) : null;
}

async function paymentOf(em: EntityManager, { accountId, id, kind }: Attempt): Promise<Payment | null> {
  if (kind !== 'charge') return null;
  const charge = await em.findOneOrFail(Charge, { accountId, attempt: [accountId, id] });
  return em.findOneOrFail(Payment, { accountId, charge });
}

/**
 * For a payer who comes back from the bank, or looks again: asks the gateway at once and records the outcome. An attempt that still waits,
 * or that is being processed, stays as it is. Does nothing if there is no such attempt.
 */
export function returnFromChallenge(deps: AttemptDeps, name: AttemptName): Promise<void> {
  return lookAgain(deps, name, 'payer');
}

/**
 * For a payer who does not want to authenticate: abandons the attempt at the gateway, so that another one can be made. If the payer has
 * authenticated meanwhile, records the outcome instead. Does nothing if there is no such attempt.
 */
export function leaveChallenge(deps: AttemptDeps, name: AttemptName): Promise<void> {
  return lookAgain(deps, name, 'leaver');
}

async function lookAgain(deps: AttemptDeps, name: AttemptName, by: 'payer' | 'leaver'): Promise<void> {
  const attempt = await findAttempt(deps.em.fork(), name);
  if (!attempt || !UNDECIDED.includes(attempt.state)) return;
  await lookForPayer(deps, { accountId: attempt.accountId, id: attempt.id }, by);
}
