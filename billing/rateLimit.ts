/** How fast one credential may ask: so many requests a second, and so many at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** All keys and tokens of an account together may send so many times what one of them may. */
const SHARED = 5;

/** The limit of an account, whose credentials have `limit` each: making more of them raises it no further. */
export function sharedLimit({ perSecond, burst }: RateLimit): RateLimit {
  return { perSecond: SHARED * perSecond, burst: SHARED * burst };
}

/** What is left of the requests of a credential, or of all of an account: a token each. `at`: when that was so, epoch milliseconds. */
export interface Bucket {
  tokens: number;
  at: number;
}

export function fullBucket({ burst }: RateLimit, at: number): Bucket {
  return { tokens: burst, at };
}

/** The bucket later, with what has run into it. A clock that is behind another changes nothing. */
export function refilled(bucket: Bucket, limit: RateLimit, at: number): Bucket {
  const elapsed = Math.max(0, at - bucket.at);
  const tokens = Math.min(limit.burst, bucket.tokens + (elapsed * limit.perSecond) / 1000);
  return { tokens: Math.max(0, tokens), at: Math.max(bucket.at, at) };
}

/** Takes up to `wanted` whole tokens, after `returned` unused ones of an earlier lease went back in. */
export function leased(
  bucket: Bucket,
  limit: RateLimit,
  lease: { wanted: number; returned: number; at: number },
): { bucket: Bucket; granted: number } {
  const { tokens, at } = refilled({ ...bucket, tokens: bucket.tokens + lease.returned }, limit, lease.at);
  const granted = Math.min(lease.wanted, Math.floor(tokens));
  return { bucket: { tokens: tokens - granted, at }, granted };
}

/** Milliseconds until there are so many tokens. */
export function millisecondsUntil({ tokens }: Bucket, { perSecond }: RateLimit, wanted: number): number {
  return Math.ceil((Math.max(0, wanted - tokens) * 1000) / perSecond);
}

/** A lease grows from the first to the second while each is used up: who asks rarely holds little that others could use. */
export function leaseSizes({ perSecond, burst }: RateLimit): { least: number; most: number } {
  const most = Math.min(burst, Math.ceil(perSecond / 4));
  return { least: Math.min(most, Math.ceil(perSecond / 25)), most };
}
