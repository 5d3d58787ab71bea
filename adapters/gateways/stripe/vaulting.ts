import type Stripe from 'stripe';
import type { GatewayLook, GatewayOperation, GatewayOutcome } from '../../../commands/ports/ports.ts';
import type { Call } from './client.ts';
import { ensureCustomer } from './customers.ts';
import { challengeNeeded, declineOf } from './declines.ts';
import { isMissing, isRefused, isUsedKey, refusalIn } from './errors.ts';
import { CHALLENGED, confirmationOf, methodsOf, waitsForNobody } from './instruments.ts';
import { givenMark, markOf, readGiven } from './marks.ts';
import { createdOrRefused } from './preparing.ts';
import { refusedReference } from './references.ts';
import { findInstrument, idOf, orNull, presentSource, sourceTypeOf } from './sources.ts';

type Intent = Stripe.SetupIntent;
type Known = Exclude<GatewayLook, { status: 'not_found' }>;

const EXPANDED = { expand: ['payment_method'] };

/** Creates an unconfirmed SetupIntent. */
export async function prepareVault(
  call: Call,
  operation: Extract<GatewayOperation, { kind: 'vault' }>,
  deployment: string,
): Promise<string> {
  const { key, method, payer = null } = operation;
  const found = await findInstrument(call, operation.instrument);
  if (typeof found === 'string') return refusedReference(found, operation);
  const wanted = method === 'credit_card' ? 'card' : 'bank_account';
  if (sourceTypeOf(found.type) !== wanted) return refusedReference('method_unsupported', operation);
  const owner = { ...operation, deployment };
  const given = givenMark({ id: found.id, isStored: found.customer !== null, payer });
  const params: Stripe.SetupIntentCreateParams = {
    customer: found.customer ?? (await ensureCustomer(call, owner)),
    usage: 'off_session',
    metadata: { ...markOf(owner, key), ...given },
    ...methodsOf(found),
  };
  const idempotencyKey = `vault-${key}`;
  return createdOrRefused(operation, () => call((stripe) => stripe.setupIntents.create(params, { idempotencyKey })));
}

/** Confirms a SetupIntent that has no outcome yet, with one key for all its confirmations. One that can have none is cancelled. */
export async function confirmVault(call: Call, id: string, home: string): Promise<GatewayOutcome> {
  const intent = await retrieve(call, id);
  const known = await outcomeOf(call, intent);
  if (known.status !== 'unconfirmed') return known;
  const params = { ...confirmationOf(intent, home), ...EXPANDED };
  const idempotencyKey = `confirm-${id}`;
  const confirmed = await call((stripe) => stripe.setupIntents.confirm(id, params, { idempotencyKey })).catch(
    refusalIn,
  );
  const refusal = confirmed instanceof Error ? confirmed : null;
  const outcome = await outcomeOf(call, confirmed instanceof Error ? await retrieve(call, id) : confirmed);
  if (outcome.status !== 'unconfirmed') return outcome;
  if (!refusal) throw new Error(`Stripe did not confirm ${id}`);
  if (isUsedKey(refusal) || !(await cancel(call, id, 'abandoned'))) throw refusal;
  return { status: 'failed', ...declineOf(refusal), source: null };
}

export async function lookAtVault(call: Call, id: string): Promise<GatewayLook> {
  const intent = await orNull(retrieve(call, id));
  return intent ? outcomeOf(call, intent) : { status: 'not_found' };
}

/** Makes sure that a SetupIntent stores nothing. A bank account that waits for its micro-deposits is stored already. */
export async function abandonVault(call: Call, id: string): Promise<boolean> {
  const look = await lookAtVault(call, id);
  if (look.status === 'succeeded') return false;
  return look.status === 'not_found' || cancel(call, id, 'abandoned');
}

async function cancel(call: Call, id: string, reason: 'abandoned' | typeof CHALLENGED): Promise<boolean> {
  try {
    await call((stripe) => stripe.setupIntents.cancel(id, { cancellation_reason: reason }));
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (!isRefused(error)) throw error;
    const { status } = stateOf(await retrieve(call, id));
    return status === 'abandoned' || status === 'failed';
  }
}

const retrieve = (call: Call, id: string): Promise<Intent> =>
  call((stripe) => stripe.setupIntents.retrieve(id, EXPANDED));

/** The outcome of a SetupIntent. One that waits for an authentication which nobody is there to give is cancelled, and declined. */
async function outcomeOf(call: Call, intent: Intent): Promise<Known> {
  if (!waitsForNobody(intent)) return stateOf(intent);
  await cancel(call, intent.id, CHALLENGED);
  return stateOf(await retrieve(call, intent.id));
}

function stateOf(intent: Intent): Known {
  const { status, payment_method: method, last_setup_error: fault, cancellation_reason: reason } = intent;
  const customer = idOf(intent.customer);
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', source: presentSource(method, { customer, isVerified: true }) };
    case 'processing':
      return { status: 'pending', source: presentSource(method, { customer, isVerified: false }) };
    case 'requires_action':
      return waitingOf(intent);
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'canceled':
      if (fault) return { status: 'failed', ...declineOf(fault), source: null };
      if (reason === CHALLENGED && !readGiven(intent.metadata).payer)
        return { status: 'failed', ...declineOf(challengeNeeded), source: null };
      return { status: status === 'canceled' ? 'abandoned' : 'unconfirmed' };
    default:
      throw new Error(`SetupIntent ${intent.id} has a status that is not known: ${status}`);
  }
}

/** A bank account that waits for its micro-deposits is stored, and not verified. Other waiting needs a payer who is there. */
function waitingOf(intent: Intent): Known {
  const source = presentSource(intent.payment_method, { customer: idOf(intent.customer), isVerified: false });
  if (intent.next_action?.type === 'verify_with_microdeposits') return { status: 'succeeded', source };
  return waitsForNobody(intent) ? { status: 'unconfirmed' } : { status: 'pending', source };
}
