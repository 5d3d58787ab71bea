import { readConfiguration } from '../../billing/mail/providers.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ChargedSource } from '../../db/schema/charge.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import type { PaymentConsent } from '../../db/schema/paymentConsent.ts';
import type { ServiceToken } from '../../db/schema/serviceToken.ts';
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

/** A consent to automatic payment. `sourceId` null: its payment source was not stored, or not yet. */
export function presentPaymentConsent(consent: Plain<PaymentConsent>, sourceId: number | null): Presented {
  return {
    id: consent.id,
    object: 'payment_consent',
    customer: consent.customer.id,
    payment_source: sourceId,
    text: consent.text,
    language: consent.language,
    page: consent.page,
    email: orNull(consent.email),
    ip: orNull(consent.ip),
    user_agent: orNull(consent.userAgent),
    given_at: unix(consent.givenAt),
    created_at: unix(consent.createdAt),
  };
}

/** Whose fields a page mounts. */
export function presentPaymentFields(fields: {
  method: string;
  currency: string;
  gateway: string;
  merchantAccountId: number | null;
  publishableKey: string | null;
}): Presented {
  const { method, currency, gateway, merchantAccountId, publishableKey } = fields;
  return {
    method,
    currency,
    gateway,
    merchant_account: merchantAccountId,
    publishable_key: publishableKey,
  };
}

/** A new service token. Only this answer shows the token itself. */
export function presentServiceToken({ row, secret }: { row: ServiceToken; secret: string }): Presented {
  const { gateway, merchantAccountId } = readConfiguration(row.gateway);
  return {
    id: secret,
    object: 'service_token',
    method: row.method,
    gateway,
    merchant_account: merchantAccountId,
    type: orNull(row.type),
    brand: orNull(row.brand),
    funding: orNull(row.funding),
    last4: orNull(row.last4),
    expires_at: unix(row.expiresAt),
    created_at: unix(row.createdAt),
  };
}
