import type Stripe from 'stripe';
import { besidePrefix } from '../../../billing/payments/shownCharge.ts';
import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import { unitsOf } from './amounts.ts';
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
import { givenMark, markOf, numberMark } from './marks.ts';
import { createdFor, refusedInstrument } from './preparing.ts';
import { refusedReference } from './references.ts';
import { findInstrument, type Instrument, idOf, presentSource } from './sources.ts';

type Intent = Stripe.PaymentIntent;

/** Creates an unconfirmed PaymentIntent. */
export async function prepareCharge(
  call: Call,
  operation: Extract<GatewayOperation, { kind: 'charge' }>,
  place: Place,
): Promise<string> {
  const { key, amount, currency, vault, description, payer = null } = operation;
  const units = unitsOf(amount, currency);
  if (typeof units === 'string') return refusedReference(units, operation);
  const found = await findInstrument(call, operation.instrument);
  const owner = { ...operation, deployment: place.deployment };
  const holder = { call, owner, customers: place.customers };
  if (typeof found === 'string') return refusedInstrument(holder, operation, found);
  const isStored = found.customer !== null;
  const given = givenMark({ id: found.id, isStored, payer });
  const params: Stripe.PaymentIntentCreateParams = {
    amount: units,
    currency,
    description,
    metadata: { ...numberMark(operation), ...markOf(owner, key), ...given },
    ...methodsOf(found),
    ...descriptorOf(found, operation.statementDescriptor ?? null),
  };
  if (vault && !isStored) params.setup_future_usage = 'off_session';
  const create = (customer: string, suffix: string) =>
    call((stripe) =>
      stripe.paymentIntents.create({ ...params, customer }, { idempotencyKey: `charge-${key}${suffix}` }),
    );
  return createdFor(holder, operation, { stored: found.customer, create });
}

/**
 * The parameter for the text on the payer's statement. Cards take only a suffix:
 * https://docs.stripe.com/api/payment_intents/create#create_payment_intent-statement_descriptor
 */
function descriptorOf({ type }: Instrument, text: string | null): Partial<Stripe.PaymentIntentCreateParams> | null {
  if (text === null) return null;
  if (type !== 'card') return { statement_descriptor: text };
  const suffix = besidePrefix(text);
  return suffix === null ? null : { statement_descriptor_suffix: suffix };
}

const intentsOf = (call: Call): Intents<Intent> => ({
  retrieve: (id) => call((stripe) => stripe.paymentIntents.retrieve(id, EXPANDED)),
  confirm: (id, params, options) => call((stripe) => stripe.paymentIntents.confirm(id, params, options)),
  cancel: (id, reason) => call((stripe) => stripe.paymentIntents.cancel(id, { cancellation_reason: reason })),
  stateOf,
});

export const confirmCharge = (call: Call, id: string, home: string) => confirmIntent(intentsOf(call), id, home);
export const lookAtCharge = (call: Call, id: string) => lookAtIntent(intentsOf(call), id);
export const abandonCharge = (call: Call, id: string) => cancelIntent(intentsOf(call), id, 'abandoned');

function stateOf(intent: Intent): Known {
  const { status, payment_method: method, last_payment_error: fault } = intent;
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
      if (fault) return failedState(intent, fault, presentSource(fault.payment_method, facts));
      return unmadeState(intent);
    default:
      throw new Error(`PaymentIntent ${intent.id} has a status that is not known: ${status}`);
  }
}
