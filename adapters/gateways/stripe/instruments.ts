import type Stripe from 'stripe';
import { readGiven } from './marks.ts';
import type { Instrument } from './sources.ts';

/** The kinds of payment methods of an intent: only that of its instrument. No other parameter for them may stand beside it. */
export const methodsOf = ({ type }: Instrument) => ({ allowed_payment_method_types: [type] });

/** Parameters of a confirmation that PaymentIntents and SetupIntents share. */
export interface Confirmation {
  payment_method?: string;
  confirmation_token?: string;
  mandate_data?: { customer_acceptance: Acceptance };
  off_session?: true;
  return_url?: string;
}

type Acceptance = { type: 'offline' } | { type: 'online'; online: { ip_address: string; user_agent: string } };

/**
 * The instrument of an intent, and what its confirmation needs. A debit of a bank account needs a mandate, the consent of its owner. A
 * ConfirmationToken brings its mandate, and a stored account has one. Otherwise the owner gave consent to the account, online or offline.
 * Stripe takes a confirmation only with `return_url` or `off_session`. `home`: the `return_url` if there is no payer who could return.
 */
export function confirmationOf(intent: Stripe.PaymentIntent | Stripe.SetupIntent, home: string): Confirmation {
  const { id, isStored, payer } = readGiven(intent.metadata);
  const isAlone = intent.object === 'payment_intent' && isStored && !payer;
  const presence = isAlone ? { off_session: true as const } : { return_url: payer?.returnUrl ?? home };
  if (id.startsWith('ctoken_')) return { confirmation_token: id, ...presence };
  if (isStored || intent.allowed_payment_method_types?.includes('card')) return { payment_method: id, ...presence };
  const acceptance: Acceptance = payer
    ? { type: 'online', online: { ip_address: payer.ip, user_agent: payer.userAgent } }
    : { type: 'offline' };
  return { payment_method: id, mandate_data: { customer_acceptance: acceptance }, ...presence };
}
