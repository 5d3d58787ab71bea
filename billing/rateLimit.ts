/** Rate limit of one credential. `burst`: requests that it may send at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** All credentials of an account together may use this many times the limit of a single one. */
const SHARED = 5;

/** The limit that all credentials of an account share. Having more of them does not raise it. */
export function sharedLimit({ perSecond, burst }: RateLimit): RateLimit {
  return { perSecond: SHARED * perSecond, burst: SHARED * burst };
}

/**
 * A token bucket, for a credential or for a whole account. A request takes one token. `at`: when this state was valid, in epoch
 * milliseconds.
 */
export interface Bucket {
  tokens: number;
  at: number;
}

export function fullBucket({ burst }: RateLimit, at: number): Bucket {
  return { tokens: burst, at };
}

/** The bucket refilled up to a later time. An earlier time, from a clock that is behind, changes nothing. */
export function refilled(bucket: Bucket, limit: RateLimit, at: number): Bucket {
  const elapsed = Math.max(0, at - bucket.at);
  const tokens = Math.min(limit.burst, bucket.tokens + (elapsed * limit.perSecond) / 1000);
  return { tokens: Math.max(0, tokens), at: Math.max(bucket.at, at) };
}

/** Returns the unused tokens of an earlier lease (`returned`), then leases up to `wanted` whole tokens. */
export function leased(
  bucket: Bucket,
  limit: RateLimit,
  lease: { wanted: number; returned: number; at: number },
): { bucket: Bucket; granted: number } {
  const { tokens, at } = refilled({ ...bucket, tokens: bucket.tokens + lease.returned }, limit, lease.at);
  const granted = Math.min(lease.wanted, Math.floor(tokens));
  return { bucket: { tokens: tokens - granted, at }, granted };
}

/** Milliseconds until the bucket has `wanted` tokens. */
export function millisecondsUntil({ tokens }: Bucket, { perSecond }: RateLimit, wanted: number): number {
  return Math.ceil((Math.max(0, wanted - tokens) * 1000) / perSecond);
}

/** Smallest and largest lease of tokens. Leases grow while each one is used up, so a credential with few requests holds few tokens. */
export function leaseSizes({ perSecond, burst }: RateLimit): { least: number; most: number } {
  const most = Math.min(burst, Math.ceil(perSecond / 4));
  return { least: Math.min(most, Math.ceil(perSecond / 25)), most };
}
