import { defineEntity, p } from '@mikro-orm/core';
import type { PumpProcess } from '../../billing/processes.ts';
import { tenantPolicies } from '../tenant.ts';

const PumpLeaseSchema = defineEntity({
  name: 'PumpLease',
  policies: tenantPolicies,
  comment: 'The pump that sends at present for an account, or for a shard of an endpoint; no row means none',
  properties: {
    accountId: p.integer().primary(),
    process: p.string().length(16).primary().$type<PumpProcess>(),
    /** Id of the endpoint or account. */
    subjectId: p.integer().primary(),
    shard: p.integer().primary(),
    /** Each run of a pump has a name of its own. */
    holder: p.uuid(),
    /** By the clock of the database. Then another pump may take over. */
    heldUntil: p.datetime(),
  },
});
export class PumpLease extends PumpLeaseSchema.class {}
PumpLeaseSchema.setClass(PumpLease);
