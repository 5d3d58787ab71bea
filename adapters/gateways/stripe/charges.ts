import type Stripe from 'stripe';
import type { GatewayLook, GatewayOperation, GatewayOutcome } from '../../../commands/ports/ports.ts';
import { unitsOf } from './amounts.ts';
import type { Call } from './client.ts';
import { ensureCustomer } from './customers.ts';
import { challengeNeeded, declineOf } from './declines.ts';
import { isMissing, isRefused, isUsedKey, refusalIn } from './errors.ts';
import { confirmationOf, methodsOf } from './instruments.ts';
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
export async function confirmCharge(call: Call, id: string): Promise<GatewayOutcome> {
  const intent = await retrieve(call, id);
  const known = outcomeOf(intent);
  if (known.status !== 'unconfirmed') return known;
  const params = { ...confirmationOf(intent), ...presenceOf(intent), ...EXPANDED };
  const idempotencyKey = `confirm-${id}`;
  const confirmed = await call((stripe) => stripe.paymentIntents.confirm(id, params, { idempotencyKey })).catch(
    refusalIn,
  );
  const refusal = confirmed instanceof Error ? confirmed : null;
  const outcome = outcomeOf(confirmed instanceof Error ? await retrieve(call, id) : confirmed);
  if (outcome.status !== 'unconfirmed') return outcome;
  if (isUsedKey(refusal) || !(await abandonCharge(call, id)))
    throw refusal ?? new Error(`Stripe did not confirm ${id}`);
  return { status: 'failed', ...declineOf(refusal ?? challengeNeeded), source: null };
}

/**
 * Nobody waits for the charge of a stored source: `off_session`. Without a payer, a charge that needs one is declined instead of waiting
 * for the payer's authentication.
 */
function presenceOf(intent: Intent): Stripe.PaymentIntentConfirmParams {
  const { isStored, payer } = readGiven(intent.metadata);
  if (payer) return {};
  return isStored ? { off_session: true } : { error_on_requires_action: true };
}

export async function lookAtCharge(call: Call, id: string): Promise<GatewayLook> {
  const intent = await orNull(retrieve(call, id));
  return intent ? outcomeOf(intent) : { status: 'not_found' };
}

/** Cancels a PaymentIntent. True if it can no longer take money. */
export async function abandonCharge(call: Call, id: string): Promise<boolean> {
  try {
    await call((stripe) => stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }));
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (!isRefused(error)) throw error;
    const { status } = outcomeOf(await retrieve(call, id));
    return status === 'abandoned' || status === 'failed';
  }
}

const retrieve = (call: Call, id: string): Promise<Intent> =>
  call((stripe) => stripe.paymentIntents.retrieve(id, EXPANDED));

function outcomeOf(intent: Intent): Known {
  const { status, payment_method: method, last_payment_error: fault } = intent;
  const facts = { customer: idOf(intent.customer), isVerified: true };
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', source: presentSource(method, facts) };
    case 'processing':
    case 'requires_capture':
      return { status: 'pending', source: presentSource(method, facts) };
    case 'requires_action':
      if (!readGiven(intent.metadata).payer) return { status: 'unconfirmed' };
      return { status: 'pending', source: presentSource(method, facts) };
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'canceled':
      if (fault) return { status: 'failed', ...declineOf(fault), source: presentSource(fault.payment_method, facts) };
      return { status: status === 'canceled' ? 'abandoned' : 'unconfirmed' };
    default:
      throw new Error(`PaymentIntent ${intent.id} has a status that is not known: ${status}`);
  }
}
