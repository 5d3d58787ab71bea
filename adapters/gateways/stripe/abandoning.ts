import { isMissing, isUsedKey } from './errors.ts';

/**
 * Refunds, deletions and verifications are one request, which cannot be cancelled before it is sent. But Stripe takes an idempotency key
 * for one request only. So `abandon` uses the key up for a harmless one, which marks the object: the other is refused from then on.
 */
const LONGEST_NAME = 40;

const markName = (key: string): string => `abandoned_${key.replaceAll('-', '')}`.slice(0, LONGEST_NAME);

/** Metadata that tells that the operation with this key was abandoned. */
export const abandonedMark = (key: string): Record<string, string> => ({ [markName(key)]: 'true' });

export const isAbandoned = (metadata: Readonly<Record<string, string>> | null, key: string): boolean =>
  metadata?.[markName(key)] !== undefined;

/** Waits for the harmless request. Afterwards the other one was made before, or never takes effect. Throws if neither is certain. */
export async function useKeyUp(harmless: Promise<unknown>): Promise<void> {
  try {
    await harmless;
  } catch (error) {
    if (!isUsedKey(error) && !isMissing(error)) throw error;
  }
}
