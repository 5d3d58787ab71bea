import { readConfiguration } from '../../billing/mail/providers.ts';
import { compare } from '../../billing/money/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Charge, ChargedSource } from '../../db/schema/charge.ts';
import type { Dispute } from '../../db/schema/dispute.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { presentChargedSource } from './paymentSource.ts';
import { presentRefundOf } from './refund.ts';

export function presentCharge(charge: Plain<Charge>): Presented {
  return {
    id: charge.id,
    object: 'charge',
    customer: charge.customer.id,
    currency: charge.currency,
    amount: number(charge.amount),
    convenience_fee: number(charge.convenienceFee),
    gateway: readConfiguration(charge.gateway).gateway,
    gateway_id: charge.gatewayId,
    status: charge.status,
    uncertain: charge.uncertain,
    receipt_email: orNull(charge.receiptEmail),
    failure_message: orNull(charge.failureMessage),
    payment_source: charge.source ? presentSourceOf(charge, charge.source) : null,
    amount_refunded: number(charge.amountRefunded),
    refunded: compare(charge.amountRefunded, charge.amount) >= 0,
    refunds: charge.refunds.map((refund) =>
      presentRefundOf({ customerId: charge.customer.id, chargeId: charge.id }, refund),
    ),
    disputed: charge.disputed,
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
    gateway: readConfiguration(charge.gateway).gateway,
    gateway_customer: source.gatewayCustomer,
    gateway_id: source.gatewayId,
    merchant_account: readConfiguration(charge.gateway).merchantAccountId,
    receipt_email: orNull(charge.receiptEmail),
  };
}

/** `customer`: id of the customer of its charge. */
export function presentDispute(dispute: Plain<Dispute>, customer: number): Presented {
  return {
    id: dispute.id,
    object: 'dispute',
    charge: dispute.charge.id,
    customer,
    currency: dispute.currency,
    amount: number(dispute.amount),
    amount_lost: number(dispute.amountLost),
    fee: number(dispute.fee),
    gateway: readConfiguration(dispute.gateway).gateway,
    gateway_id: dispute.gatewayId,
    status: dispute.status,
    reason: dispute.reason,
    evidence_due_at: unixOrNull(dispute.evidenceDueAt),
    created_at: unix(dispute.createdAt),
    updated_at: unix(dispute.updatedAt),
  };
}
