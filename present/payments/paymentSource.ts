import { readConfiguration } from '../../billing/gatewayConfiguration.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChargedSource } from '../../db/schema/charge.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

/** A card or a bank account. */
export function presentPaymentSource(source: Plain<PaymentSource>): Presented {
  return { ...presentChargedSource(source), updated_at: unix(source.updatedAt) };
}

/** A payment source with the additional fields that it has inside an event or a charge. */
export function presentEmbeddedSource(source: Plain<PaymentSource>): Presented {
  const { gateway, merchantAccountId } = readConfiguration(source.gateway);
  return {
    ...presentPaymentSource(source),
    chargeable: source.chargeable,
    created_at: unix(source.createdAt),
    failure_reason: orNull(source.failureReason),
    gateway,
    gateway_customer: orNull(source.gatewayCustomer),
    gateway_id: source.gatewayId,
    merchant_account: merchantAccountId,
    receipt_email: null,
  };
}

/** The payment source as it was when it was charged. */
export function presentChargedSource(
  source: Omit<ChargedSource, 'gatewayId' | 'gatewayCustomer' | 'createdAt' | 'updatedAt'>,
): Presented {
  if (source.type === 'card') {
    return {
      id: source.id,
      object: 'card',
      brand: orNull(source.brand),
      last4: source.last4,
      exp_month: orNull(source.expMonth),
      exp_year: orNull(source.expYear),
      funding: source.funding ?? 'unknown',
    };
  }
  return {
    id: source.id,
    object: 'bank_account',
    bank_name: orNull(source.bankName),
    last4: source.last4,
    routing_number: orNull(source.routingNumber),
    verified: source.verified ?? false,
    currency: orNull(source.currency),
  };
}
