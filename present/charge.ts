import type { Charge } from '../db/schema/charge.ts';
import { presentChargedSource } from './paymentSource.ts';
import { number, orNull, type Presented, unix } from './values.ts';

export function presentCharge(charge: Charge): Presented {
  return {
    id: charge.id,
    object: 'charge',
    customer: charge.customer.id,
    currency: charge.currency,
    amount: number(charge.amount),
    gateway: charge.gateway,
    gateway_id: charge.gatewayId,
    status: charge.status,
    receipt_email: orNull(charge.receiptEmail),
    failure_message: orNull(charge.failureMessage),
    payment_source: charge.source ? presentChargedSource(charge.source) : null,
    amount_refunded: 0,
    refunded: false,
    refunds: [],
    disputed: false,
    created_at: unix(charge.createdAt),
    updated_at: unix(charge.updatedAt),
  };
}
