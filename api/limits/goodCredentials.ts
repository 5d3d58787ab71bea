/** Credentials whose last use in this process succeeded. */
export interface GoodCredentials {
  has(credential: string): boolean;
  note(credential: string, isGood: boolean): void;
}

const MOST_REMEMBERED = 10_000;

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
