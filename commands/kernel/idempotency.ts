import { Refusal } from '../../billing/refusal.ts';
import { isLockTimeout } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { insertKey } from '../../db/queries/kernel/keptAnswers.ts';
import { Idempotency } from '../../db/schema/idempotency.ts';
import type { Cipher } from '../ports/ports.ts';

/** A request with an Idempotency-Key. Keys are scoped to the credential. */
export interface KeyedRequest {
  accountId: number;
  credentialId: number;
  key: string;
  /** SHA-256 of method, path, query and body, hexadecimal. */
  fingerprint: string;
}

/** A stored answer. */
export interface KeptAnswer {
  statusCode: number;
  json: string | null;
  /** Its header ETag. */
  headers?: { ETag?: string };
  /** Whether it is the outcome of an attempt. The caller then still applies the fields that the request expands or selects. */
  isOutcome: boolean;
}

/** The result of the first request with a key: its answer, or the attempt whose outcome will be its answer. */
export type Earlier = KeptAnswer | { attemptId: number };

export interface StoredAnswer {
  statusCode: number;
  /** JSON text; null for an answer without a body. */
  json: string | null;
  headers?: { ETag?: string };
  /** The customer whose data the answer holds, or null if it holds none. If it is left out, the row keeps its customer. */
  customerId?: number | null;
  /** Set if the answer holds a secret and must be encrypted. */
  cipher?: Cipher;
}

/** The first request with this key is still being processed, or has just ended without effect. The client can retry. */
export class KeyInUse extends Error {
  override readonly name = 'KeyInUse';
}

/**
 * Claims a key in the transaction of the request's effect; a rollback releases it. Returns null if the key is claimed, else the result of
 * the first request. Waits for a concurrent request with the same key. Throws KeyInUse when that wait exceeds the lock timeout, when the
 * first request is still at work outside a transaction, or when it has just ended without effect. Refuses a key that was used with another
 * request.
 */
export async function claimKey(
  em: EntityManager,
  request: KeyedRequest & { cipher: Cipher },
  systemNow: Date,
): Promise<Earlier | null> {
  const { accountId, credentialId, key, fingerprint } = request;
  const isClaimed = await insertKey(em, request, systemNow).catch((error: unknown) => {
    throw isLockTimeout(error) ? new KeyInUse('A request with the same Idempotency-Key is still at work') : error;
  });
  if (isClaimed) return null;
  const row = await em.findOne(Idempotency, { accountId, credentialId, key }, { disableIdentityMap: true });
  if (!row) throw new KeyInUse('A request with the same Idempotency-Key has just ended without effect');
  if (row.fingerprint !== fingerprint) {
    throw new Refusal(
      'idempotency_mismatch',
      'Idempotency-Key was used before with another request',
      'Idempotency-Key',
    );
  }
  if (row.statusCode) return answerOf(row, row.statusCode, request.cipher);
  if (row.attemptId) return { attemptId: row.attemptId };
  if (await claimAfterCutOff(em, request, systemNow)) return null;
  throw new KeyInUse('A request with the same Idempotency-Key is still at work');
}

/** Maximum time from the claim of a key to its answer, for work outside a transaction. After it, the request counts as cut off. */
const LONGEST_WORK_MILLISECONDS = 60_000;

/** Claims the key of a request that was cut off. False: that request may still be at work. */
async function claimAfterCutOff(em: EntityManager, request: KeyedRequest, systemNow: Date): Promise<boolean> {
  const { accountId, credentialId, key } = request;
  const before = new Date(systemNow.getTime() - LONGEST_WORK_MILLISECONDS);
  const cutOff = { accountId, credentialId, key, statusCode: null, attemptId: null, createdAt: { $lte: before } };
  return (await em.nativeUpdate(Idempotency, cutOff, { createdAt: systemNow })) === 1;
}

function answerOf(row: Idempotency, statusCode: number, cipher: Cipher): KeptAnswer {
  const json = row.body ?? null;
  const isOutcome = row.attemptId !== null;
  const shown = row.sealed && json !== null ? cipher.decrypt(json) : json;
  return { statusCode, json: shown, isOutcome, ...(row.etag ? { headers: { ETag: row.etag } } : {}) };
}

/** Stores the answer for a claimed key, in the transaction of the effect. */
export async function storeKeyedAnswer(em: EntityManager, request: KeyedRequest, answer: StoredAnswer): Promise<void> {
  const { accountId, credentialId, key } = request;
  const { statusCode, json, customerId, cipher, headers } = answer;
  const body = cipher && json !== null ? cipher.encrypt(json) : json;
  const sealed = Boolean(cipher);
  const etag = headers?.ETag ?? null;
  const stored = { statusCode, body, sealed, etag, ...(customerId === undefined ? {} : { customerId }) };
  await em.withoutWaiting(() => em.nativeUpdate(Idempotency, { accountId, credentialId, key }, stored));
}

/**
 * Stores the outcome of an attempt as the answer to its request, unless one is stored. Returns the stored answer, so that concurrent calls
 * get the same one.
 */
export async function storeKeyedOutcome(
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

/** Records that the outcome of an attempt will be the answer of a claimed key. */
export async function awaitAttempt(em: EntityManager, request: KeyedRequest, attemptId: number): Promise<void> {
  const { accountId, credentialId, key } = request;
  await em.withoutWaiting(() => em.nativeUpdate(Idempotency, { accountId, credentialId, key }, { attemptId }));
}

/** Releases a claimed key whose request had no effect. */
export async function releaseKey(em: EntityManager, request: KeyedRequest): Promise<void> {
  const { accountId, credentialId, key } = request;
  await em.nativeDelete(Idempotency, { accountId, credentialId, key });
}
