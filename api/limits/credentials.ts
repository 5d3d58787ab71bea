import { type Credential, noteUse } from '../../db/queries/accounts/apiKeys.ts';
import type { ApiDeps } from '../framework/deps.ts';

/** Maximum number of remembered credentials. With more of them, uses are recorded more often than once a minute. */
const MOST_REMEMBERED = 10_000;

/** Credentials whose last use in this process succeeded. */
interface GoodCredentials {
  has(credential: string): boolean;
  note(credential: string, isGood: boolean): void;
}

/** Remembers the most recent credentials, up to a limit. Callers pass hashes, not secrets. */
export function createGoodCredentials(): GoodCredentials {
  const good = new Set<string>();
  return {
    has: (credential) => good.has(credential),
    note(credential, isGood) {
      good.delete(credential);
      if (!isGood) return;
      good.add(credential);
      const [oldest] = good;
      if (good.size > MOST_REMEMBERED && oldest !== undefined) good.delete(oldest);
    },
  };
}

const MINUTE_MILLISECONDS = 60_000;

/**
 * Records the last use of credentials, for each one at most once a minute. The request does not wait for it. A failure is logged; a request
 * a minute later tries again.
 */
export function createLastUse(deps: Pick<ApiDeps, 'em' | 'systemNow' | 'log'>): (credential: Credential) => void {
  const noted = new Map<number, number>();
  return (credential) => {
    const now = deps.systemNow();
    const before = noted.get(credential.id) ?? credential.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (now.getTime() - before < MINUTE_MILLISECONDS) return;
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(credential.id, now.getTime());
    noteUse(deps.em.fork(), credential, now).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'the last use of a credential could not be recorded');
    });
  };
}
