import type Stripe from 'stripe';
import type { GatewayLook, GatewayOutcome, VaultedSource } from '../../../commands/ports/ports.ts';
import { type Decline, declineOf, type Fault, refusalOf } from './declines.ts';
import { isMissing, isRefused, isUsedKey, kindOf, kindOfFault, refusalIn, refusedBy } from './errors.ts';
import { type Confirmation, confirmationOf } from './instruments.ts';
import { readGiven } from './marks.ts';
import { orNull } from './sources.ts';

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent;

export type Known = Exclude<GatewayLook, { status: 'not_found' }>;

/** Answers have the payment method in full. */
export const EXPANDED = { expand: ['payment_method'] };

/**
 * `requested_by_customer`: it waits for an authentication which nobody is there to give. The adapter cancels for no other reason with it, so
 * that a look-up after a crash knows why.
 */
type Cancellation = 'abandoned' | 'requested_by_customer';

/** The requests about one of Stripe's two kinds of intents. */
export interface Intents<Kind extends Intent> {
  retrieve(id: string): Promise<Kind>;
  confirm(id: string, params: Confirmation & typeof EXPANDED, options: { idempotencyKey: string }): Promise<Kind>;
  cancel(id: string, reason: Cancellation): Promise<unknown>;
  /** What the status of an intent means. */
  stateOf(intent: Kind): Known;
}

/**
 * Confirms an intent that has no outcome yet. All its confirmations have one key, so that Stripe carries out one. If Stripe refuses the
 * confirmation without trying the instrument, the intent is cancelled, so that it can never take money or store anything.
 */
export async function confirmIntent<Kind extends Intent>(
  intents: Intents<Kind>,
  id: string,
  home: string,
): Promise<GatewayOutcome> {
  const intent = await intents.retrieve(id);
  const known = await outcomeOf(intents, intent);
  if (known.status !== 'unconfirmed') return known;
  const params = { ...confirmationOf(intent, home), ...EXPANDED };
  const confirmed = await intents.confirm(id, params, { idempotencyKey: `confirm-${id}` }).catch(refusalIn);
  const refusal = confirmed instanceof Error ? confirmed : null;
  const outcome = await outcomeOf(intents, confirmed instanceof Error ? await intents.retrieve(id) : confirmed);
  if (outcome.status !== 'unconfirmed') return outcome;
  if (!refusal) throw new Error(`Stripe did not confirm ${id}`);
  if (isUsedKey(refusal) || !(await cancelIntent(intents, id, 'abandoned'))) throw refusal;
  const spent = spentInstrument(intent, refusal);
  if (spent) return { status: 'failed', ...spent, source: null };
  if (kindOf(refusal) !== 'decline') throw refusedBy(refusal, true);
  return { status: 'failed', ...declineOf(refusal), source: null };
}

export async function lookAtIntent<Kind extends Intent>(intents: Intents<Kind>, id: string): Promise<GatewayLook> {
  const intent = await orNull(intents.retrieve(id));
  return intent ? outcomeOf(intents, intent) : { status: 'not_found' };
}

/** Cancels an intent. True if it can no longer take money or store anything. */
export async function cancelIntent<Kind extends Intent>(
  intents: Intents<Kind>,
  id: string,
  reason: Cancellation,
): Promise<boolean> {
  try {
    await intents.cancel(id, reason);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (!isRefused(error)) throw error;
    return (await intents.retrieve(id)).status === 'canceled';
  }
}

/** The outcome of an intent. One that waits for an authentication which nobody is there to give is cancelled, and declined. */
async function outcomeOf<Kind extends Intent>(intents: Intents<Kind>, intent: Kind): Promise<Known> {
  if (!waitsForNobody(intent)) return intents.stateOf(intent);
  await cancelIntent(intents, intent.id, 'requested_by_customer');
  return intents.stateOf(await intents.retrieve(intent.id));
}

/** Whether an intent waits for somebody to act, and nobody is there. The deposits of a bank account are verified later, once it is stored. */
export function waitsForNobody({ object, status, metadata, next_action: action }: Intent): boolean {
  const isStored = object === 'setup_intent' && action?.type === 'verify_with_microdeposits';
  return status === 'requires_action' && !isStored && !readGiven(metadata).payer;
}

/** Stripe's words for a PaymentMethod that was used up or detached, in answers without a code: https://github.com/liberapay/liberapay.com/issues/2686 */
const USED_UP = /PaymentMethod\b.*\bmay not be used again/s;

/** Codes of instruments that can never be used again: https://docs.stripe.com/error-codes. */
const SPENT = new Set(['payment_method_unexpected_state', 'token_already_used']);

/** The decline of an instrument that can never be used again. Null: the fault is another one. */
function spentInstrument({ metadata }: Intent, { code, message = '' }: Fault): Decline | null {
  if (code ? !SPENT.has(code) : !USED_UP.test(message)) return null;
  return refusalOf(readGiven(metadata).isStored ? 'source_deleted' : 'invalid_token');
}

/** The state of an intent whose last confirmation failed. Throws a refusal if the account has to mend the reason. */
export function failedState(intent: Intent, fault: Fault, source: VaultedSource | null): Known {
  const spent = spentInstrument(intent, fault);
  if (spent) return { status: 'failed', ...spent, source };
  if (kindOfFault(fault) !== 'decline') throw refusedBy(fault, true);
  return { status: 'failed', ...declineOf(fault), source };
}

/** The state of an intent without a fault that has no instrument or no confirmation, or was cancelled. */
export function unmadeState({ status, metadata, cancellation_reason: reason }: Intent): Known {
  if (reason === 'requested_by_customer' && !readGiven(metadata).payer)
    return { status: 'failed', ...declineOf(challengeNeeded), source: null };
  return { status: status === 'canceled' ? 'abandoned' : 'unconfirmed' };
}

/** The reason of an intent that waits for an authentication which nobody is there to give. */
const challengeNeeded: Fault = {
  code: 'authentication_required',
  message: 'The bank asks the customer to authenticate this payment.',
};
