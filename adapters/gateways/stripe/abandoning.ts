import { isLocked, isUsedKey, refusalIn } from './errors.ts';

/**
 * Refunds, deletions and verifications are one request, which cannot be cancelled before it is sent. But Stripe takes an idempotency key
 * for one request only. So `abandon` uses the key up for a harmless one, which marks the object: the other is refused from then on.
 */
const LONGEST_NAME = 40;

const HOUR = 3_600_000;
/** Stripe keeps keys for 24 hours at least: https://docs.stripe.com/api/idempotent_requests. Nothing is sent with older ones. */
const KEY_LASTS = 24 * HOUR - 60_000;
/** 25 hours after the last request with the key may have been sent: none is under way any more, and Stripe's lists show what they did. */
const LISTS_TELL = KEY_LASTS + 25 * HOUR;

const markName = (key: string): string => `abandoned_${key.replaceAll('-', '')}`.slice(0, LONGEST_NAME);

/** Metadata that tells that the operation with this key was abandoned. */
export const abandonedMark = (key: string): Record<string, string> => ({ [markName(key)]: 'true' });

export const isAbandoned = (metadata: Readonly<Record<string, string>> | null, key: string): boolean =>
  metadata?.[markName(key)] !== undefined;

/** An operation that is one request with an idempotency key. */
export interface KeyedRequest {
  /** Whether it took effect, as Stripe shows it now, read without an error. Null: Stripe shows nothing of it. */
  read(): Promise<boolean | null>;
  /** Sends the harmless request with the same key, which marks the object. */
  useKeyUp(): Promise<unknown>;
  isMarked(): Promise<boolean>;
  /** Sends the request itself again, unchanged. Returns whether it took effect. */
  repeat(): Promise<boolean>;
}

/**
 * Makes sure that a request does not take effect. `age`: milliseconds since it was first sent. A key that another request has used says only
 * that this one was sent: its kept answer tells the outcome, or it is still under way. Throws while that is not certain.
 */
export async function abandonRequest(request: KeyedRequest, age: number): Promise<boolean> {
  const isMade = await request.read();
  if (isMade !== null) return !isMade;
  if (age >= LISTS_TELL) return true;
  if (age >= KEY_LASTS) throw new Error('Stripe shows nothing of it, and may have forgotten its key');
  if (await takesKey(request.useKeyUp())) return true;
  try {
    return !(await request.repeat());
  } catch (error) {
    if (isLocked(error)) throw error; // it answers the repetition alone
    await throwUnlessUnmade(error, request.isMarked);
    return true;
  }
}

/** Whether a request was the first one with its key. Throws if that is not certain. */
async function takesKey(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    if (isUsedKey(error)) return false;
    throw error;
  }
}

/** Throws unless the error proves that the request did nothing: Stripe refused it, or the object has the mark. */
export async function throwUnlessUnmade(error: unknown, isMarked: () => Promise<boolean>): Promise<void> {
  if (isUsedKey(refusalIn(error)) && !(await isMarked())) throw error;
}
