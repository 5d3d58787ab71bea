import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { timestamps } from './columns.ts';

const DigestSchema = defineEntity({
  name: 'Digest',
  policies: tenantPolicies,
  comment: 'How far the days of an account are told in digests to its team; its process has the id of the account',
  properties: {
    accountId: p.integer().primary(),
    /** Id of the account. */
    id: p.integer().primary(),
    /** The last day that was told, or that passed before digests were switched on. */
    lastDay: p.date(),
    ...timestamps,
  },
  checks: [{ name: 'digest_id', expression: 'id = account_id' }],
});
export class Digest extends DigestSchema.class {}
DigestSchema.setClass(Digest);
