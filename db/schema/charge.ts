import { defineEntity, p } from '@mikro-orm/core';
import type { PaymentSourceType } from '../../billing/payments/paymentMethods.ts';
import { policiesThrough } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { amount, eventCount, oneOf, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { partialIndex } from './indexes.ts';

export const chargeStatuses = ['succeeded', 'pending', 'failed'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** Copy of the source at the time of the charge. Deleting the source does not change it. */
export interface ChargedSource {
  id: number | null;
  type: PaymentSourceType;
  gatewayId: string;
  gatewayCustomer: string | null;
  last4: string;
  brand?: string | null | undefined;
  expMonth?: number | null | undefined;
  expYear?: number | null | undefined;
  funding?: string | null | undefined;
  bankName?: string | null | undefined;
  routingNumber?: string | null | undefined;
  verified?: boolean | null | undefined;
  currency?: string | null | undefined;
  /** Times of storage and last change, seconds since 1970; unset for the source of a token. */
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
}

/** Copy of a refund, as answers and events of its charge or payment show it. Times are seconds since 1970. */
export interface RefundCopy {
  id: number;
  currency: string;
  amount: string;
  /** Null: no gateway sent the money. */
  gateway: string | null;
  gatewayId: string | null;
  /** The payment; unset in copies of earlier versions. */
  paymentId?: number | null;
  /** How, when and by which reference it was sent; unset: a gateway sent it. */
  method?: string;
  date?: number;
  reference?: string | null;
  /** Whether the bank took the money back. */
  returned?: boolean;
  status: ChargeStatus;
  /** Unset: false. */
  uncertain?: boolean;
  failureMessage: string | null;
  /** The part of the amount that was the convenience fee; unset in copies of earlier versions: none. */
  convenienceFee?: string;
  createdAt: number;
  updatedAt: number;
}

const ChargeSchema = defineEntity({
  name: 'Charge',
  policies: policiesThrough('charge', 'customer'),
  properties: {
    ...tenantKey,
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('restrict'),
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    currency: p.string().length(3),
    amount: amount(),
    /** The part of the amount that is the convenience fee. */
    convenienceFee: amount().default('0'),
    gateway: p.string().length(32),
    gatewayId: p.string().length(255),
    status: p.string().length(9).$type<ChargeStatus>(),
    /** Whether the gateway has not said yet if it made the pending charge. */
    uncertain: p.boolean().default(false),
    receiptEmail: p.string().length(255).nullable(),
    failureMessage: p.string().length(255).nullable(),
    source: p.json().$type<ChargedSource>().nullable(),
    /** Sum of its refunds that have not failed. */
    amountRefunded: amount().default('0'),
    /** Sum of the refunds that the gateway is being asked for: their attempts are open. */
    refundReserved: amount().default('0'),
    /** Sum that banks took back and kept: by lost disputes, and by the return of a debit. */
    amountLost: amount().default('0'),
    /** Whether a bank holds money of it, or kept some, because of a dispute. */
    disputed: p.boolean().default(false),
    /** Time at which the bank returned the debit; null: it did not. */
    returnedAt: p.datetime().nullable(),
    /** Fees of the gateway for its disputes and its return. */
    gatewayFee: amount().default('0'),
    /** Copies of its refunds, oldest first. */
    refunds: p.json().$type<RefundCopy[]>().defaultRaw("'[]'::jsonb"),
    eventCount,
    ...timestamps,
  },
  uniques: [
    { name: 'charge_attempt', properties: ['accountId', 'attempt'] },
    { name: 'charge_gateway_id', properties: ['accountId', 'gateway', 'gatewayId'] },
  ],
  indexes: [
    { name: 'charge_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'charge_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'charge_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'charge_by_amount', properties: ['accountId', 'amount', 'id'] },
    { name: 'charge_by_gateway', properties: ['accountId', 'gateway', 'id'] },
    { name: 'charge_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'charge_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    partialIndex('charge', 'charge_returned', ['account_id, returned_at', 'returned_at is not null']),
  ],
  checks: [
    oneOf('charge', 'status', chargeStatuses),
    { name: 'charge_amount', expression: 'amount > 0' },
    { name: 'charge_fee', expression: 'convenience_fee >= 0 and convenience_fee < amount' },
    // More than its amount can be gone: what a gateway has given back is recorded, whatever was given back otherwise.
    { name: 'charge_refunded', expression: 'amount_refunded >= 0 and refund_reserved >= 0' },
    { name: 'charge_lost', expression: 'amount_lost >= 0 and gateway_fee >= 0' },
  ],
});
export class Charge extends ChargeSchema.class {}
ChargeSchema.setClass(Charge);
