import { compare } from '../../billing/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Charge, ChargedSource } from '../../db/schema/charge.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';
import { presentChargedSource } from './paymentSource.ts';
import { presentRefundOf } from './refund.ts';

export function presentCharge(charge: Plain<Charge>): Presented {
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
    payment_source: charge.source ? presentSourceOf(charge, charge.source) : null,
    amount_refunded: number(charge.amountRefunded),
    refunded: compare(charge.amountRefunded, charge.amount) === 0,
    refunds: charge.refunds.map((refund) => presentRefundOf(charge.id, refund)),
    disputed: false,
    created_at: unix(charge.createdAt),
    updated_at: unix(charge.updatedAt),
  };
}

/** The payment source as it was at the charge, with the additional fields of an embedded source. */
function presentSourceOf(charge: Plain<Charge>, source: ChargedSource): Presented {
  return {
    ...presentChargedSource(source),
    chargeable: true,
    created_at: source.createdAt ?? unix(charge.createdAt),
    updated_at: source.updatedAt ?? unix(charge.createdAt),
    failure_reason: null,
    gateway: charge.gateway,
    gateway_customer: source.gatewayCustomer,
    gateway_id: source.gatewayId,
    merchant_account: null,
    receipt_email: orNull(charge.receiptEmail),
  };
}
