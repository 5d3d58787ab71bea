import { Refusal } from '../../billing/refusal.ts';
import { isLockTimeout } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Idempotency } from '../../db/schema/idempotency.ts';
import type { Cipher } from '../ports.ts';

/** A request that carries an Idempotency-Key; keys are the credential's own. */
export interface KeyedRequest {
  accountId: number;
  credentialId: number;
  key: string;
  /** SHA-256 of method, path, query and body, hexadecimal. */
  fingerprint: string;
}

/** An answer as it is stored. */
export interface KeptAnswer {
  statusCode: number;
  json: string | null;
  /** The outcome of an attempt, the same whoever asked: what its request wants to see of it is not added yet. */
  isOutcome: boolean;
}

/** What the first request of a key has led to: its answer, or the attempt that will have one. */
export type Earlier = KeptAnswer | { attemptId: number };

export interface StoredAnswer {
  statusCode: number;
  /** JSON text; null for an answer without a body. */
  json: string | null;
  /** Whom it tells of, if anybody; unless said, whom it did. */
  customerId?: number | null;
  /** Set when the answer holds a secret: it is stored encrypted. */
  cipher?: Cipher;
}

/** The first request of the key is still at work. */
export class KeyInUse extends Error {
  override readonly name = 'KeyInUse';
}

/**
 * Claims a key for the request whose effect this transaction makes; what rolls back releases it. Null: claimed, else what the first
 * request of the key led to. A concurrent twin is waited for; throws KeyInUse when that takes longer than the lock timeout, or the
 * first one is at work outside of its transaction. Refuses a key that another request had.
 */
export async function claimKey(
  em: EntityManager,
  request: KeyedRequest & { cipher: Cipher },
  systemNow: Date,
): Promise<Earlier | null> {
  const { accountId, credentialId, key, fingerprint } = request;
  const claimed = await em
    .execute(
      `insert into idempotency (account_id, credential_id, key, fingerprint, sealed, created_at) values (?, ?, ?, ?, false, ?)
       on conflict do nothing returning 1`,
      [accountId, credentialId, key, fingerprint, systemNow],
    )
    .catch((error: unknown) => {
      throw isLockTimeout(error) ? new KeyInUse('A request with the same Idempotency-Key is still at work') : error;
    });
  if (claimed.length > 0) return null;
  const row = await em.findOne(Idempotency, { accountId, credentialId, key }, { disableIdentityMap: true });
  if (!row) throw new KeyInUse('A request with the same Idempotency-Key has just ended without effect');
  if (row.fingerprint !== fingerprint) {
    throw new Refusal('Idempotency-Key was used before with another request', 'Idempotency-Key');
  }
  if (row.statusCode) return answerOf(row, row.statusCode, request.cipher);
  if (row.attemptId) return { attemptId: row.attemptId };
  if (await takeOver(em, request, systemNow)) return null;
  throw new KeyInUse('A request with the same Idempotency-Key is still at work');
}

/** Longer than anything may take that is done between the claim of a key and its answer, outside of any transaction. */
const LONGEST_WORK_MILLISECONDS = 60_000;

/** Claims a key whose request was cut off while it was at work; false: it may still be. */
async function takeOver(em: EntityManager, request: KeyedRequest, systemNow: Date): Promise<boolean> {
  const { accountId, credentialId, key } = request;
  const before = new Date(systemNow.getTime() - LONGEST_WORK_MILLISECONDS);
  const left = { accountId, credentialId, key, statusCode: null, attemptId: null, createdAt: { $lte: before } };
  return (await em.nativeUpdate(Idempotency, left, { createdAt: systemNow })) === 1;
}

function answerOf(row: Idempotency, statusCode: number, cipher: Cipher): KeptAnswer {
  const json = row.body ?? null;
  const isOutcome = row.attemptId !== null;
  return { statusCode, json: row.sealed && json !== null ? cipher.decrypt(json) : json, isOutcome };
}

/** Stores the answer of a claimed key, in the transaction of the effect. */
export async function keepAnswer(em: EntityManager, request: KeyedRequest, answer: StoredAnswer): Promise<void> {
  const { accountId, credentialId, key } = request;
  const { statusCode, json, customerId, cipher } = answer;
  const body = cipher && json !== null ? cipher.encrypt(json) : json;
  const sealed = Boolean(cipher);
  await em.nativeUpdate(
    Idempotency,
    { accountId, credentialId, key },
    {
      ...{ statusCode, body, sealed },
      ...(customerId === undefined ? {} : { customerId }),
    },
  );
}

/** Stores the outcome of an attempt as its request wants to see it, once: answers what is stored, of two at once that of the first. */
export async function keepOutcome(
  em: EntityManager,
  request: KeyedRequest,
  answer: { statusCode: number; json: string | null },
): Promise<{ statusCode: number; json: string | null }> {
  const { accountId, credentialId, key } = request;
  const row = { accountId, credentialId, key };
  const written = { body: answer.json, attemptId: null };
  if ((await em.nativeUpdate(Idempotency, { ...row, attemptId: { $ne: null } }, written)) === 1) return answer;
  const kept = await em.findOne(Idempotency, row);
  return kept ? { statusCode: kept.statusCode ?? answer.statusCode, json: kept.body ?? null } : answer;
}

/** Leaves the answer of a claimed key to the outcome of an attempt. */
export async function awaitAttempt(em: EntityManager, request: KeyedRequest, attemptId: number): Promise<void> {
  const { accountId, credentialId, key } = request;
  await em.nativeUpdate(Idempotency, { accountId, credentialId, key }, { attemptId });
}

/** Gives a claimed key up whose request has come to nothing. */
export async function releaseKey(em: EntityManager, request: KeyedRequest): Promise<void> {
  const { accountId, credentialId, key } = request;
  await em.nativeDelete(Idempotency, { accountId, credentialId, key });
}
