import Stripe from 'stripe';
import { Refusal } from '../../../billing/refusal.ts';
import { callsOf, openStripe, type StripeAccess } from './client.ts';

/** Stripe's id of the account that a secret key opens. Throws a Refusal that names `secret_key` if it opens none. */
export async function accountOpenedBy(access: StripeAccess, signal: AbortSignal): Promise<string> {
  const call = callsOf(openStripe(access), signal);
  const account = await call((stripe) => stripe.accounts.retrieveCurrent()).catch(refuse);
  return account.id;
}

function refuse(error: unknown): never {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    throw new Refusal('parameter_invalid', 'Stripe does not accept the secret key', 'secret_key');
  if (error instanceof Stripe.errors.StripePermissionError)
    throw new Refusal(
      'parameter_invalid',
      'Secret key may not read its account: allow it to read Connect accounts',
      'secret_key',
    );
  throw new Refusal('gateway_unavailable', 'Stripe has not answered: try again', 'secret_key');
}
