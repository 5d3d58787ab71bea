import type { Call } from './client.ts';
import type { Reference } from './references.ts';

/** The page on which the payer of a pending charge or vaulting authenticates, or verifies a bank account. Null: it waits for nobody. */
export async function challengeOf(call: Call, reference: Reference): Promise<string | null> {
  if (reference.kind !== 'charge' && reference.kind !== 'vault') return null;
  const { id } = reference;
  const { status, next_action: action } =
    reference.kind === 'charge'
      ? await call((stripe) => stripe.paymentIntents.retrieve(id))
      : await call((stripe) => stripe.setupIntents.retrieve(id));
  if (status !== 'requires_action') return null;
  return action?.redirect_to_url?.url ?? action?.verify_with_microdeposits?.hosted_verification_url ?? null;
}
