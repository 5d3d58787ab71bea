import type Stripe from 'stripe';
import type { GatewayLook, GatewayOperation, GatewayOutcome } from '../../../commands/ports/ports.ts';
import { unitsOf } from './amounts.ts';
import type { Call } from './client.ts';
import { ensureCustomer } from './customers.ts';
import { challengeNeeded, declineOf } from './declines.ts';
import { isMissing, isRefused, isUsedKey, refusalIn } from './errors.ts';
import { CHALLENGED, confirmationOf, methodsOf, waitsForNobody } from './instruments.ts';
import { givenMark, markOf, readGiven } from './marks.ts';
import { createdOrRefused } from './preparing.ts';
import { refusedReference } from './references.ts';
import { findInstrument, idOf, orNull, presentSource } from './sources.ts';

type Intent = Stripe.PaymentIntent;
type Known = Exclude<GatewayLook, { status: 'not_found' }>;

const EXPANDED = { expand: ['payment_method'] };

/** Creates an unconfirmed PaymentIntent. */
export async function prepareCharge(
  call: Call,
  operation: Extract<GatewayOperation, { kind: 'charge' }>,
  deployment: string,
): Promise<string> {
  const { key, amount, currency, vault, description, payer = null } = operation;
  const units = unitsOf(amount, currency);
  if (typeof units === 'string') return refusedReference(units, operation);
  const found = await findInstrument(call, operation.instrument);
  if (typeof found === 'string') return refusedReference(found, operation);
  const owner = { ...operation, deployment };
  const isStored = found.customer !== null;
  const given = givenMark({ id: found.id, isStored, payer });
  const params: Stripe.PaymentIntentCreateParams = {
    amount: units,
    currency,
    customer: found.customer ?? (await ensureCustomer(call, owner)),
    description,
    metadata: { ...markOf(owner, key), ...given },
    ...methodsOf(found),
  };
  if (vault && !isStored) params.setup_future_usage = 'off_session';
  const idempotencyKey = `charge-${key}`;
  return createdOrRefused(operation, () => call((stripe) => stripe.paymentIntents.create(params, { idempotencyKey })));
}

/**
 * Confirms a PaymentIntent that has no outcome yet. All its confirmations have one key, so that Stripe carries out one. If Stripe
 * refuses the confirmation without trying the instrument, the PaymentIntent is cancelled, so that it can never take money.
 */
export async function confirmCharge(call: Call, id: string, home: string): Promise<GatewayOutcome> {
  const intent = await retrieve(call, id);
  const known = await outcomeOf(call, intent);
  if (known.status !== 'unconfirmed') return known;
  const params = { ...confirmationOf(intent, home), ...EXPANDED };
  const idempotencyKey = `confirm-${id}`;
  const confirmed = await call((stripe) => stripe.paymentIntents.confirm(id, params, { idempotencyKey })).catch(
    refusalIn,
  );
  const refusal = confirmed instanceof Error ? confirmed : null;
  const outcome = await outcomeOf(call, confirmed instanceof Error ? await retrieve(call, id) : confirmed);
  if (outcome.status !== 'unconfirmed') return outcome;
  if (!refusal) throw new Error(`Stripe did not confirm ${id}`);
  if (isUsedKey(refusal) || !(await cancel(call, id, 'abandoned'))) throw refusal;
  return { status: 'failed', ...declineOf(refusal), source: null };
}

export async function lookAtCharge(call: Call, id: string): Promise<GatewayLook> {
  const intent = await orNull(retrieve(call, id));
  return intent ? outcomeOf(call, intent) : { status: 'not_found' };
}

/** Cancels a PaymentIntent. True if it can no longer take money. */
export const abandonCharge = (call: Call, id: string): Promise<boolean> => cancel(call, id, 'abandoned');

async function cancel(call: Call, id: string, reason: 'abandoned' | typeof CHALLENGED): Promise<boolean> {
  try {
    await call((stripe) => stripe.paymentIntents.cancel(id, { cancellation_reason: reason }));
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (!isRefused(error)) throw error;
    const { status } = stateOf(await retrieve(call, id));
    return status === 'abandoned' || status === 'failed';
  }
}

const retrieve = (call: Call, id: string): Promise<Intent> =>
  call((stripe) => stripe.paymentIntents.retrieve(id, EXPANDED));

/** The outcome of a PaymentIntent. One that waits for an authentication which nobody is there to give is cancelled, and declined. */
async function outcomeOf(call: Call, intent: Intent): Promise<Known> {
  if (!waitsForNobody(intent)) return stateOf(intent);
  await cancel(call, intent.id, CHALLENGED);
  return stateOf(await retrieve(call, intent.id));
}

function stateOf(intent: Intent): Known {
  const { status, payment_method: method, last_payment_error: fault, cancellation_reason: reason } = intent;
  const facts = { customer: idOf(intent.customer), isVerified: true };
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', source: presentSource(method, facts) };
    case 'processing':
    case 'requires_capture':
      return { status: 'pending', source: presentSource(method, facts) };
    case 'requires_action':
      if (waitsForNobody(intent)) return { status: 'unconfirmed' };
      return { status: 'pending', source: presentSource(method, facts) };
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'canceled':
      if (fault) return { status: 'failed', ...declineOf(fault), source: presentSource(fault.payment_method, facts) };
      if (reason === CHALLENGED && !readGiven(intent.metadata).payer)
        return { status: 'failed', ...declineOf(challengeNeeded), source: null };
      return { status: status === 'canceled' ? 'abandoned' : 'unconfirmed' };
    default:
      throw new Error(`PaymentIntent ${intent.id} has a status that is not known: ${status}`);
  }
}
