import type Stripe from 'stripe';
import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import type { Call } from './client.ts';
import type { Place } from './customers.ts';
import { methodsOf } from './instruments.ts';
import {
  cancelIntent,
  confirmIntent,
  EXPANDED,
  failedState,
  type Intents,
  type Known,
  lookAtIntent,
  unmadeState,
  waitsForNobody,
} from './intents.ts';
import { givenMark, markOf } from './marks.ts';
import { createdFor, refusedInstrument } from './preparing.ts';
import { refusedReference } from './references.ts';
import { findInstrument, idOf, presentSource, sourceTypeOf } from './sources.ts';

type Intent = Stripe.SetupIntent;

/** Creates an unconfirmed SetupIntent. */
export async function prepareVault(
  call: Call,
  operation: Extract<GatewayOperation, { kind: 'vault' }>,
  place: Place,
): Promise<string> {
  const { key, method, payer = null } = operation;
  const found = await findInstrument(call, operation.instrument);
  const owner = { ...operation, deployment: place.deployment };
  const holder = { call, owner, customers: place.customers };
  if (typeof found === 'string') return refusedInstrument(holder, operation, found);
  const wanted = method === 'credit_card' ? 'card' : 'bank_account';
  if (sourceTypeOf(found.type) !== wanted) return refusedReference('method_unsupported', operation);
  const given = givenMark({ id: found.id, isStored: found.customer !== null, payer });
  const params: Stripe.SetupIntentCreateParams = {
    usage: 'off_session',
    metadata: { ...markOf(owner, key), ...given },
    ...methodsOf(found),
  };
  const create = (customer: string, suffix: string) =>
    call((stripe) => stripe.setupIntents.create({ ...params, customer }, { idempotencyKey: `vault-${key}${suffix}` }));
  return createdFor(holder, operation, { stored: found.customer, create });
}

const intentsOf = (call: Call): Intents<Intent> => ({
  retrieve: (id) => call((stripe) => stripe.setupIntents.retrieve(id, EXPANDED)),
  confirm: (id, params, options) => call((stripe) => stripe.setupIntents.confirm(id, params, options)),
  cancel: (id, reason) => call((stripe) => stripe.setupIntents.cancel(id, { cancellation_reason: reason })),
  stateOf,
});

export const confirmVault = (call: Call, id: string, home: string) => confirmIntent(intentsOf(call), id, home);
export const lookAtVault = (call: Call, id: string) => lookAtIntent(intentsOf(call), id);

/** Makes sure that a SetupIntent stores nothing. A bank account that waits for its micro-deposits is stored already. */
export async function abandonVault(call: Call, id: string): Promise<boolean> {
  const look = await lookAtVault(call, id);
  if (look.status === 'succeeded') return false;
  return look.status === 'not_found' || cancelIntent(intentsOf(call), id, 'abandoned');
}

function stateOf(intent: Intent): Known {
  const { status, payment_method: method, last_setup_error: fault } = intent;
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
      if (fault) return failedState(intent, fault, null);
      return unmadeState(intent);
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
