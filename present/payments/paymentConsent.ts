import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { PaymentConsent } from '../../db/schema/paymentConsent.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

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
    ip: orNull(consent.ip),
    user_agent: orNull(consent.userAgent),
    given_at: unix(consent.givenAt),
    created_at: unix(consent.createdAt),
  };
}
