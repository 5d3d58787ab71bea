import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

const RateLimitBucketSchema = defineEntity({
  name: 'RateLimitBucket',
  comment:
    'What is left of the requests of a credential, after all that processes have leased; without a row the bucket is full',
  policies: tenantPolicies,
  properties: {
    accountId: p.integer().primary(),
    /** 0: the bucket that all credentials of the account share. */
    credentialId: p.integer().primary(),
    tokens: p.double(),
    /** Real time at which there were so many. */
    refilledAt: p.datetime(),
    /** Of two processes that saw the same bucket one changes it, and the other looks again. */
    version: p.integer(),
  },
});
export class RateLimitBucket extends RateLimitBucketSchema.class {}
RateLimitBucketSchema.setClass(RateLimitBucket);
