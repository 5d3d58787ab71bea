import { defineEntity, p } from '@mikro-orm/core';
import { DISPUTED, type DisputeStatus, disputeStatuses } from '../../billing/payments/dispute.ts';
import { policiesThrough } from '../tenant.ts';
import { Charge } from './charge.ts';
import { amount, oneOf, quoted, tenantKey, timestamps } from './columns.ts';

/** SQL: the statuses in which the bank has the money, or a part of it. */
export const disputed = quoted(DISPUTED);

const DisputeSchema = defineEntity({
  name: 'Dispute',
  policies: policiesThrough('dispute', 'charge'),
  comment: 'A dispute of a charge: its bank holds the money until it decides',
  properties: {
    ...tenantKey,
    charge: () => p.manyToOne(Charge).joinColumns('account_id', 'charge_id').deleteRule('cascade'),
    gateway: p.string().length(32),
    gatewayId: p.string().length(255),
    currency: p.string().length(3),
    /** Disputed amount, which the bank holds while the dispute is open. */
    amount: amount(),
    status: p.string().length(9).$type<DisputeStatus>(),
    /** The gateway's word for the reason, such as `fraudulent`. */
    reason: p.string().length(64),
    evidenceDueAt: p.datetime().nullable(),
    /** The part of the amount that the bank kept, and its parts: money of the payment, and the rest, which is an expense. */
    amountLost: amount().default('0'),
    fromPayment: amount().default('0'),
    expense: amount().default('0'),
    /** The part of `fromPayment` that was the convenience fee. */
    fromFee: amount().default('0'),
    /** Fee of the gateway; zero: it charged none, or gave it back. */
    fee: amount().default('0'),
    ...timestamps,
  },
  uniques: [{ name: 'dispute_gateway_id', properties: ['accountId', 'gateway', 'gatewayId'] }],
  indexes: [
    { name: 'dispute_by_charge', properties: ['accountId', 'charge', 'id'] },
    { name: 'dispute_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'dispute_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'dispute_by_amount', properties: ['accountId', 'amount', 'id'] },
    { name: 'dispute_by_gateway', properties: ['accountId', 'gateway', 'id'] },
    { name: 'dispute_by_evidence', properties: ['accountId', 'evidenceDueAt', 'id'] },
    { name: 'dispute_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'dispute_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    oneOf('dispute', 'status', disputeStatuses),
    { name: 'dispute_amount', expression: 'amount > 0 and fee >= 0' },
    {
      name: 'dispute_lost',
      expression:
        'least(amount_lost, from_payment, expense, from_fee) >= 0 and amount_lost = from_payment + expense and from_fee <= from_payment',
    },
    {
      name: 'dispute_lost_status',
      expression:
        "case status when 'lost' then amount_lost = amount when 'partial' then amount_lost > 0 and amount_lost < amount else amount_lost = 0 end",
    },
  ],
});
export class Dispute extends DisputeSchema.class {}
DisputeSchema.setClass(Dispute);
