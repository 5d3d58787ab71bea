import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { Charge, type ChargeStatus, chargeStatuses } from './charge.ts';
import { amount, oneOf, tenantKey, timestamps } from './columns.ts';

const RefundSchema = defineEntity({
  name: 'Refund',
  policies: tenantPolicies,
  comment: 'Money of a charge that was given back, or is being given back',
  properties: {
    ...tenantKey,
    charge: () => p.manyToOne(Charge).joinColumns('account_id', 'charge_id').deleteRule('cascade'),
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('restrict'),
    currency: p.string().length(3),
    amount: amount(),
    /** The parts of the amount: the fee, unapplied money of the payment, unspent credit and deposits that it added, and the rest. */
    fromFee: amount().default('0'),
    fromUnapplied: amount(),
    fromCredit: amount(),
    fromDeposits: amount(),
    expense: amount(),
    gateway: p.string().length(32),
    gatewayId: p.string().length(255),
    status: p.string().length(9).$type<ChargeStatus>(),
    failureMessage: p.string().length(255).nullable(),
    ...timestamps,
  },
  uniques: [
    { name: 'refund_attempt', properties: ['accountId', 'attempt'] },
    { name: 'refund_gateway_id', properties: ['accountId', 'gateway', 'gatewayId'] },
  ],
  indexes: [
    { name: 'refund_by_charge', properties: ['accountId', 'charge', 'id'] },
    { name: 'refund_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'refund_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'refund_by_gateway', properties: ['accountId', 'gateway', 'id'] },
    { name: 'refund_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'refund_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    oneOf('refund', 'status', chargeStatuses),
    { name: 'refund_amount', expression: 'amount > 0' },
    {
      name: 'refund_parts',
      expression:
        'least(from_fee, from_unapplied, from_credit, from_deposits, expense) >= 0 and amount = from_fee + from_unapplied + from_credit + from_deposits + expense',
    },
  ],
});
export class Refund extends RefundSchema.class {}
RefundSchema.setClass(Refund);
