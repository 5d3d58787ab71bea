import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

const IdempotencySchema = defineEntity({
  name: 'Idempotency',
  policies: tenantPolicies,
  comment: 'A request that has had its effect, and its answer; written in the transaction of the effect',
  properties: {
    accountId: p.integer().primary(),
    credentialId: p.integer().primary(),
    key: p.string().length(255).primary(),
    fingerprint: p.string().length(64),
    /** The attempt that will have the answer, while it has none. */
    attemptId: p.integer().nullable(),
    statusCode: p.integer().nullable(),
    /** JSON text of the answer, sealed where it holds a secret. */
    body: p.text().nullable(),
    sealed: p.boolean().default(false),
    /** Real time. */
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'idempotency_created', properties: ['createdAt'] },
    {
      name: 'idempotency_attempt',
      expression:
        'create index "idempotency_attempt" on "idempotency" ("account_id", "attempt_id") where attempt_id is not null',
    },
  ],
});
export class Idempotency extends IdempotencySchema.class {}
IdempotencySchema.setClass(Idempotency);
