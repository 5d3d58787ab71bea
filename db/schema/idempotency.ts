import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { partialIndex } from './indexes.ts';

const IdempotencySchema = defineEntity({
  name: 'Idempotency',
  policies: tenantPolicies,
  comment: 'A request that has had its effect, and its answer; written in the transaction of the effect',
  properties: {
    accountId: p.integer().primary(),
    credentialId: p.integer().primary(),
    key: p.string().length(255).primary(),
    fingerprint: p.string().length(64),
    /** The attempt that gives the answer; null once the answer is stored in the form that the request wants. */
    attemptId: p.integer().nullable(),
    statusCode: p.integer().nullable(),
    /** The customer that the answer is about, if any; the row may outlive it. */
    customerId: p.integer().nullable(),
    /** JSON text of the answer, sealed if it contains a secret. */
    body: p.text().nullable(),
    /** The ETag of the answer; null: it had none. */
    etag: p.string().length(64).nullable(),
    sealed: p.boolean().default(false),
    /** Real time. */
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'idempotency_created', properties: ['createdAt'] },
    partialIndex('idempotency', 'idempotency_attempt', ['"account_id", "attempt_id"', 'attempt_id is not null']),
    partialIndex('idempotency', 'idempotency_customer', ['"account_id", "customer_id"', 'customer_id is not null']),
  ],
});
export class Idempotency extends IdempotencySchema.class {}
IdempotencySchema.setClass(Idempotency);
