import { readConfiguration } from '../../billing/gatewayConfiguration.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { RefundOfCharge } from '../../db/schema/charge.ts';
import type { Refund } from '../../db/schema/refund.ts';
import { number, type Presented, unix } from '../kernel/values.ts';

export function presentRefund(refund: Plain<Refund>): Presented {
  return presentRefundOf(refund.charge.id, refundCopy(refund));
}

/** A refund as its charge keeps a copy of it. */
export function refundCopy(refund: Plain<Refund>): RefundOfCharge {
  const { id, currency, amount, fromFee, gateway, gatewayId, status, failureMessage = null } = refund;
  return {
    id,
    currency,
    amount,
    gateway,
    gatewayId,
    status,
    failureMessage,
    convenienceFee: fromFee,
    createdAt: unix(refund.createdAt),
    updatedAt: unix(refund.updatedAt),
  };
}

/** A refund from the copy that its charge keeps. */
export function presentRefundOf(chargeId: number, refund: RefundOfCharge): Presented {
  return {
    id: refund.id,
    object: 'refund',
    charge: chargeId,
    currency: refund.currency,
    amount: number(refund.amount),
    convenience_fee: number(refund.convenienceFee ?? '0'),
    gateway: readConfiguration(refund.gateway).gateway,
    gateway_id: refund.gatewayId,
    status: refund.status,
    failure_message: refund.failureMessage,
    created_at: refund.createdAt,
    updated_at: refund.updatedAt,
  };
}
