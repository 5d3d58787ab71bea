import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { Charge, type ChargeStatus, chargeStatuses } from './charge.ts';
import { amount, oneOf, tenantKey, timestamps } from './columns.ts';
import { CreditBalanceAdjustment } from './creditBalanceAdjustment.ts';
import { Payment } from './payment.ts';

const RefundSchema = defineEntity({
  name: 'Refund',
  policies: policiesThrough('refund', 'charge', 'payment', 'attempt', ['adjustment_id', 'credit_balance_adjustment']),
  comment: 'Money that was given back, or is being given back: by the gateway of its charge, or outside the gateways',
  properties: {
    ...tenantKey,
    /** The charge whose money it is; null: the money was received outside the gateways, or it is credit. */
    charge: () => p.manyToOne(Charge).joinColumns('account_id', 'charge_id').nullable().deleteRule('cascade'),
    /** The payment whose money it is; null: it is credit. */
    payment: () => p.manyToOne(Payment).joinColumns('account_id', 'payment_id').nullable().deleteRule('cascade'),
    /** The change of the credit balance whose credit it is; null: it is money of a payment. */
    adjustment: () =>
      p.manyToOne(CreditBalanceAdjustment).joinColumns('account_id', 'adjustment_id').nullable().deleteRule('cascade'),
    /** The attempt of the gateway; null: no gateway sent the money. */
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').nullable().deleteRule('restrict'),
    currency: p.string().length(3),
    amount: amount(),
    /** The parts of the amount: the fee, unapplied money of the payment, unspent credit and deposits that it added, and the rest. */
    fromFee: amount().default('0'),
    fromUnapplied: amount(),
    fromCredit: amount(),
    fromDeposits: amount(),
    expense: amount(),
    gateway: p.string().length(32).nullable(),
    gatewayId: p.string().length(255).nullable(),
    /** How money was sent that no gateway sends, when, and by which reference. */
    method: p.string().length(13).nullable(),
    date: p.datetime().nullable(),
    reference: p.string().length(255).nullable(),
    /** Whether the bank took back what it had credited: it pays no invoice any more. */
    returned: p.boolean().default(false),
    status: p.string().length(9).$type<ChargeStatus>(),
    /** Whether the gateway has not said yet if it made the pending refund. */
    uncertain: p.boolean().default(false),
    failureMessage: p.string().length(255).nullable(),
    ...timestamps,
  },
  uniques: [
    { name: 'refund_attempt', properties: ['accountId', 'attempt'] },
    { name: 'refund_gateway_id', properties: ['accountId', 'gateway', 'gatewayId'] },
  ],
  indexes: [
    { name: 'refund_by_charge', properties: ['accountId', 'charge', 'id'] },
    { name: 'refund_by_payment', properties: ['accountId', 'payment', 'id'] },
    { name: 'refund_by_adjustment', properties: ['accountId', 'adjustment'] },
    { name: 'refund_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'refund_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'refund_by_amount', properties: ['accountId', 'amount', 'id'] },
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
