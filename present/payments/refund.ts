import { readConfiguration } from '../../billing/mail/providers.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { RefundCopy } from '../../db/schema/charge.ts';
import type { Refund } from '../../db/schema/refund.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';

/** Whose money or credit a refund is. */
export interface RefundedOf {
  customerId: number | null;
  chargeId: number | null;
  /** The change of the credit balance that paid credit out. */
  adjustmentId?: number | null;
}

export function presentRefund(refund: Plain<Refund>, customerId: number | null): Presented {
  const { charge, adjustment } = refund;
  return presentRefundOf(
    { customerId, chargeId: charge?.id ?? null, adjustmentId: adjustment?.id ?? null },
    refundCopy(refund),
  );
}

/** A refund as its charge or payment keeps a copy of it. */
export function refundCopy(refund: Plain<Refund>): RefundCopy {
  const { id, currency, amount, fromFee, gateway = null, gatewayId = null, status, failureMessage = null } = refund;
  const { payment, method, date, reference = null, returned, uncertain } = refund;
  const copy: RefundCopy = {
    id,
    currency,
    amount,
    gateway,
    gatewayId,
    status,
    ...(uncertain ? { uncertain } : {}),
    failureMessage,
    paymentId: payment?.id ?? null,
    convenienceFee: fromFee,
    createdAt: unix(refund.createdAt),
    updatedAt: unix(refund.updatedAt),
  };
  return method && date ? { ...copy, method, date: unix(date), reference, returned } : copy;
}

/** A refund from the copy that its charge or payment keeps. */
export function presentRefundOf(
  { customerId, chargeId, adjustmentId = null }: RefundedOf,
  refund: RefundCopy,
): Presented {
  return {
    id: refund.id,
    object: 'refund',
    customer: customerId,
    charge: chargeId,
    payment: refund.paymentId ?? null,
    credit_balance_adjustment: adjustmentId,
    currency: refund.currency,
    amount: number(refund.amount),
    convenience_fee: number(refund.convenienceFee ?? '0'),
    gateway: refund.gateway === null ? null : readConfiguration(refund.gateway).gateway,
    gateway_id: refund.gatewayId,
    method: refund.method ?? null,
    date: refund.date ?? refund.createdAt,
    reference: orNull(refund.reference),
    returned: refund.returned ?? false,
    status: refund.status,
    uncertain: refund.uncertain ?? false,
    failure_message: refund.failureMessage,
    created_at: refund.createdAt,
    updated_at: refund.updatedAt,
  };
}
