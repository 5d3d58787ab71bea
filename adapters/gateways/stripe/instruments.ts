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

/**
 * The reason with which the adapter cancels an intent that waits for an authentication which nobody is there to give. It cancels for no other
 * reason of its own with it, so that a look-up after a crash knows why.
 */
export const CHALLENGED = 'requested_by_customer';

/** Whether an intent waits for somebody to act, and nobody is there. The deposits of a bank account are verified later, once it is stored. */
export function waitsForNobody({
  object,
  status,
  metadata,
  next_action: action,
}: Stripe.PaymentIntent | Stripe.SetupIntent): boolean {
  const isStored = object === 'setup_intent' && action?.type === 'verify_with_microdeposits';
  return status === 'requires_action' && !isStored && !readGiven(metadata).payer;
}
