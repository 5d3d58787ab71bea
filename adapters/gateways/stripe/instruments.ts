import type Stripe from 'stripe';
import { readGiven } from './marks.ts';
import type { Instrument } from './sources.ts';

/** The kinds of payment methods of an intent: only that of its instrument, and none that leads the payer to another site. */
export const methodsOf = ({ type }: Instrument) => ({
  allowed_payment_method_types: [type],
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
});

/** Parameters of a confirmation that PaymentIntents and SetupIntents share. */
export interface Confirmation {
  payment_method?: string;
  confirmation_token?: string;
  mandate_data?: { customer_acceptance: Acceptance };
  return_url?: string;
}

type Acceptance = { type: 'offline' } | { type: 'online'; online: { ip_address: string; user_agent: string } };

/**
 * The instrument of an intent, and what its confirmation needs. A debit of a bank account needs a mandate, the consent of its owner. A
 * ConfirmationToken brings its mandate, and a stored account has one. Otherwise the owner gave consent to the account, online or offline.
 */
export function confirmationOf(intent: Stripe.PaymentIntent | Stripe.SetupIntent): Confirmation {
  const { id, isStored, payer } = readGiven(intent.metadata);
  const back = payer && { return_url: payer.returnUrl };
  if (id.startsWith('ctoken_')) return { confirmation_token: id, ...back };
  if (isStored || intent.allowed_payment_method_types?.includes('card')) return { payment_method: id, ...back };
  const acceptance: Acceptance = payer
    ? { type: 'online', online: { ip_address: payer.ip, user_agent: payer.userAgent } }
    : { type: 'offline' };
  return { payment_method: id, mandate_data: { customer_acceptance: acceptance }, ...back };
}
