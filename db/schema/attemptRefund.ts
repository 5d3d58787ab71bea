import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { Charge } from './charge.ts';
import { tenantKey } from './columns.ts';

const AttemptRefundSchema = defineEntity({
  name: 'AttemptRefund',
  policies: tenantPolicies,
  comment: 'The charge that an attempt refunds',
  properties: {
    ...tenantKey,
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('cascade'),
    charge: () => p.manyToOne(Charge).joinColumns('account_id', 'charge_id').deleteRule('cascade'),
  },
  uniques: [{ name: 'attempt_refund_attempt', properties: ['accountId', 'attempt'] }],
  indexes: [{ name: 'attempt_refund_by_charge', properties: ['accountId', 'charge'] }],
});
export class AttemptRefund extends AttemptRefundSchema.class {}
AttemptRefundSchema.setClass(AttemptRefund);
