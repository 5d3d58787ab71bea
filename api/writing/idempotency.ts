import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyedRequest, KeyInUse } from '../../commands/kernel/idempotency.ts';
import { canonicalText } from '../body/sent.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { Busy } from '../framework/errors.ts';
import type { Reply } from '../framework/route.ts';
import { withoutPlace } from '../limits/admission.ts';

/** How long a request waits for a concurrent request with the same key, or for the outcome of an attempt. */
export const KEY_WAIT_MILLISECONDS = 20_000;
const PAUSE_MILLISECONDS = 50;

/** The request's key, with a hash of the request that detects another request with the same key. Null without a key. */
export function keyedRequest(request: ApiRequest): KeyedRequest | null {
  const { caller, credentialId, idempotencyKey: key } = request;
  if (key === null) return null;
  return { accountId: caller.account.id, credentialId, key, fingerprint: fingerprintOf(request) };
}

function fingerprintOf({ method, path, query, body }: ApiRequest): string {
  const text = [method, path, query.toString(), canonicalText(body)].join('\n');
  return createHash('sha256').update(text).digest('hex');
}

export function replayed(answer: Reply): Reply {
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

/** Retries a transaction for as long as a concurrent request uses its key. Throws Busy after 20 s. */
export async function whileKeyInUse<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + KEY_WAIT_MILLISECONDS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof KeyInUse)) throw error;
      if (performance.now() >= giveUpAt) throw new Busy(error.message);
      await withoutPlace(() => sleep(PAUSE_MILLISECONDS));
    }
  }
}
