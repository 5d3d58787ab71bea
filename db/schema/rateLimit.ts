import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

const RateLimitBucketSchema = defineEntity({
  name: 'RateLimitBucket',
  comment: 'Token bucket of a credential or of a whole account, without leased tokens; no row means full',
  policies: tenantPolicies,
  properties: {
    accountId: p.integer().primary(),
    /** 0: the bucket that all credentials of the account share. */
    credentialId: p.integer().primary(),
    tokens: p.double(),
    /** Real time of this number of tokens. */
    refilledAt: p.datetime(),
    /** For optimistic locking: of two processes that read the same bucket, one changes it and the other reads again. */
    version: p.integer(),
  },
});
export class RateLimitBucket extends RateLimitBucketSchema.class {}
RateLimitBucketSchema.setClass(RateLimitBucket);

const ThrottleSchema = defineEntity({
  name: 'Throttle',
  comment: 'Count of tries without a credential, such as sign-ins; belongs to no account',
  properties: {
    /** SHA-256 of the counted thing, such as an address, hexadecimal. */
    key: p.string().length(64).primary(),
    count: p.integer(),
    /** Real time at which the count restarts. */
    endsAt: p.datetime(),
  },
  indexes: [{ name: 'throttle_end', properties: ['endsAt'] }],
});
export class Throttle extends ThrottleSchema.class {}
ThrottleSchema.setClass(Throttle);
