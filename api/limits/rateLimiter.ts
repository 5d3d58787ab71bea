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
import { asAccount } from '../../db/tenant.ts';

/** Rate limit state, answered with each request of a credential. */
export interface Taken {
  isAllowed: boolean;
  /** Requests that are left, as far as this process knows. */
  remaining: number;
  /** Until the bucket is full again. */
  resetSeconds: number;
  /** Until the next request is allowed. */
  retrySeconds: number;
}

/** Limits the requests of credentials by token buckets that all processes share. */
export interface RateLimiter {
  take(key: CredentialKey, limit: RateLimit): Promise<Taken>;
  /** Returns leased tokens that are unused. */
  close(): Promise<void>;
}

interface Lease {
  key: CredentialKey;
  limit: RateLimit;
  tokens: number;
  size: number;
  /** Requests that wait for a token. */
  waiting: number;
  seen: SeenBucket | null;
  /** On the clock of `performance`: when unused tokens are returned, until when the bucket is known to be empty, when it was last used. */
  until: number;
  emptyUntil: number;
  wantedAt: number;
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
 * Tokens are leased from PostgreSQL in blocks, so that most requests cost no statement. A process that crashes loses the tokens it holds:
 * at most those of a quarter of a second, which refill.
 */
export function createRateLimiter(deps: LimiterDeps): RateLimiter {
  const leases = new Map<string, Lease>();
  let timer: NodeJS.Timeout | null = null;
  const tidy = (): void => {
    timer = null;
    const now = performance.now();
    for (const [name, lease] of leases) {
      if (lease.tokens > 0 && lease.until <= now) renewed(deps, lease, 0).catch(() => undefined); // lost tokens refill
      if (lease.wantedAt + KEPT_MILLISECONDS <= now) leases.delete(name);
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
    wantedAt: 0,
    renewal: null,
  };
  leases.set(name, lease);
  return lease;
}

/** Whether a request may go on; null: the shared bucket must be asked. */
function takeNow(lease: Lease): boolean | null {
  const now = performance.now();
  lease.wantedAt = now;
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
 * One renewal at a time; requests that come meanwhile wait for it. It works for the account of the lease, whichever request or timer starts
 * it.
 */
function renewed(deps: LimiterDeps, lease: Lease, wanted: number): Promise<void> {
  lease.renewal ??= asAccount(lease.key.accountId, () => renew(deps, lease, wanted)).finally(() => {
    lease.renewal = null;
  });
  return lease.renewal;
}

/** Returns unused tokens and takes `wanted` new ones. */
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
