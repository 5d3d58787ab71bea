import {
  fullBucket,
  leased,
  leaseSizes,
  millisecondsUntil,
  type RateLimit,
  refilled,
} from '../../billing/rateLimit.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type CredentialKey,
  findBucket,
  replaceBucket,
  type SeenBucket,
} from '../../db/queries/accounts/rateLimits.ts';
import { withAccount } from '../../db/tenant.ts';

/** Rate limit state of a credential after one request. */
export interface Taken {
  isAllowed: boolean;
  /** Number of requests that are left, as far as this process knows. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until the next request is allowed; at least 1. */
  retrySeconds: number;
}

/** Limits the requests of credentials with token buckets that all processes share. */
export interface RateLimiter {
  take(key: CredentialKey, limit: RateLimit): Promise<Taken>;
  /** Returns unused leased tokens to the shared buckets. */
  close(): Promise<void>;
}

interface Lease {
  key: CredentialKey;
  limit: RateLimit;
  tokens: number;
  size: number;
  /** Number of requests that wait for a token. */
  waiting: number;
  /** The shared bucket as this process last saw it. */
  seen: SeenBucket | null;
  /** When unused tokens are returned. This and the next two times are on the clock of `performance`. */
  until: number;
  /** Until then the shared bucket is known to be empty. */
  emptyUntil: number;
  lastUsedAt: number;
  renewal: Promise<void> | null;
}

interface LimiterDeps {
  em: EntityManager;
  systemNow(): Date;
}

const LEASE_MILLISECONDS = 1000;
const KEPT_MILLISECONDS = 60_000;
const MOST_TRIES = 50;

/**
 * Leases tokens from PostgreSQL in blocks, so that most requests need no statement. A process that crashes loses the tokens that it holds, at
 * most those of a quarter of a second. They refill.
 */
export function createRateLimiter(deps: LimiterDeps): RateLimiter {
  const leases = new Map<string, Lease>();
  let timer: NodeJS.Timeout | null = null;
  const tidy = (): void => {
    timer = null;
    const now = performance.now();
    for (const [name, lease] of leases) {
      if (lease.tokens > 0 && lease.until <= now) renewed(deps, lease, 0).catch(() => undefined); // lost tokens refill
      if (lease.lastUsedAt + KEPT_MILLISECONDS <= now) leases.delete(name);
    }
    if (leases.size > 0) tidyLater();
  };
  const tidyLater = (): void => {
    timer ??= setTimeout(tidy, LEASE_MILLISECONDS).unref();
  };
  return {
    async take(key, limit) {
      const lease = leaseOf(leases, key, limit);
      tidyLater();
      const isAllowed = takeNow(lease) ?? (await takeLater(deps, lease));
      return { isAllowed, ...quotaLeft(lease, deps.systemNow().getTime()) };
    },
    async close() {
      if (timer) clearTimeout(timer);
      await Promise.allSettled([...leases.values()].map((lease) => renewed(deps, lease, 0)));
      leases.clear();
    },
  };
}

function leaseOf(leases: Map<string, Lease>, key: CredentialKey, limit: RateLimit): Lease {
  const name = `${key.accountId}/${key.credentialId}`;
  const known = leases.get(name);
  if (known) return Object.assign(known, { limit });
  const { least: size } = leaseSizes(limit);
  const lease = {
    key,
    limit,
    size,
    waiting: 0,
    tokens: 0,
    seen: null,
    until: 0,
    emptyUntil: 0,
    lastUsedAt: 0,
    renewal: null,
  };
  leases.set(name, lease);
  return lease;
}

/** Takes a leased token. True: the request is allowed; false: the shared bucket is known to be empty; null: it must be asked. */
function takeNow(lease: Lease): boolean | null {
  const now = performance.now();
  lease.lastUsedAt = now;
  if (lease.tokens > 0 && lease.until > now) {
    lease.tokens -= 1;
    return true;
  }
  return lease.emptyUntil > now ? false : null;
}

async function takeLater(deps: LimiterDeps, lease: Lease): Promise<boolean> {
  lease.waiting += 1;
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if (!lease.renewal) lease.size = nextSize(lease);
      await renewed(deps, lease, Math.max(lease.size, lease.waiting));
      const isAllowed = takeNow(lease);
      if (isAllowed !== null) return isAllowed;
    }
    return false;
  } finally {
    lease.waiting -= 1;
  }
}

function nextSize({ limit, size, tokens, until }: Lease): number {
  const { least, most } = leaseSizes(limit);
  const isUsedUp = tokens === 0 && until + LEASE_MILLISECONDS > performance.now();
  return isUsedUp ? Math.min(most, size * 2) : least;
}

/**
 * Renews a lease. Only one renewal runs at a time, and requests that come meanwhile wait for it. It always runs for the lease's account, even
 * if a timer or a request of another account starts it.
 */
function renewed(deps: LimiterDeps, lease: Lease, wanted: number): Promise<void> {
  lease.renewal ??= withAccount(lease.key.accountId, () => renew(deps, lease, wanted)).finally(() => {
    lease.renewal = null;
  });
  return lease.renewal;
}

/** Returns unused tokens to the shared bucket and takes up to `wanted` new ones. */
async function renew({ em, systemNow }: LimiterDeps, lease: Lease, wanted: number): Promise<void> {
  const { key, limit, tokens: returned } = lease;
  lease.tokens = 0;
  const fork = em.fork();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const at = systemNow().getTime();
    const known = lease.seen;
    lease.seen = null;
    const seen = known ?? (await findBucket(fork, key)) ?? { ...fullBucket(limit, at), version: 0 };
    const { bucket, granted } = leased(seen, limit, { wanted, returned, at });
    if (wanted > 0 && granted === 0 && known) continue; // other processes may have returned tokens since
    const isChanged = granted + returned > 0;
    const version = isChanged ? await replaceBucket(fork, key, { seen: seen.version, bucket }) : seen.version;
    if (version === null) continue;
    const now = performance.now();
    const emptyUntil = wanted > 0 && granted === 0 ? now + millisecondsUntil(bucket, limit, 1) : 0;
    Object.assign(lease, {
      seen: { ...bucket, version },
      tokens: granted,
      until: now + LEASE_MILLISECONDS,
      emptyUntil,
    });
    return;
  }
}

function quotaLeft({ limit, tokens, seen }: Lease, at: number): Omit<Taken, 'isAllowed'> {
  const shared = seen ? refilled(seen, limit, at) : fullBucket(limit, at);
  const bucket = { ...shared, tokens: Math.min(limit.burst, shared.tokens + tokens) };
  const seconds = (wanted: number) => Math.ceil(millisecondsUntil(bucket, limit, wanted) / 1000);
  return {
    remaining: Math.floor(bucket.tokens),
    resetSeconds: seconds(limit.burst),
    retrySeconds: Math.max(1, seconds(1)),
  };
}
