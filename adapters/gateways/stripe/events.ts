import Stripe from 'stripe';
import { Refusal } from '../../../billing/refusal.ts';
import type { GatewayEvent, GatewayMessage, StoredAtGateway } from '../../../commands/ports/ports.ts';
import { keyIn } from './marks.ts';
import { refundReference } from './references.ts';
import { idOf } from './sources.ts';

/** Seconds after which a signed event is too old. */
const TOLERANCE = 300;

/** Checks the signature, age and mode of a message, and reads its event. Throws a Refusal. */
export function readEvent(
  { headers, body }: GatewayMessage,
  { secret, secretKey }: { secret: string; secretKey: string },
): GatewayEvent {
  const event = verified(body, { signature: headers['stripe-signature'] ?? '', secret });
  const { id, type, data, livemode } = Object(event);
  if (livemode === !secretKey.includes('_live_'))
    throw new Refusal(
      'body_invalid',
      `The event is of ${livemode ? 'live' : 'test'} mode, and the secret key of the merchant account is not`,
    );
  if (!isName(id, LONGEST_ID) || !isName(type, LONGEST_TYPE) || !Object(data).object)
    throw new Refusal('body_invalid', 'The event has no id, type or object');
  const reference = referenceIn(event);
  if (reference !== null && reference.length > LONGEST_ID)
    throw new Refusal('body_invalid', 'The object of the event has an id that is too long');
  const about = storedIn(event);
  return { id, type, reference, ...chargeIn(event), ...(about ? { about } : {}) };
}

/** Longest ids and types that are stored. Stripe's have some dozens of characters. */
const LONGEST_ID = 255;
const LONGEST_TYPE = 100;

const isName = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && /^[\w.]+$/.test(value);

function verified(body: string, { signature, secret }: { signature: string; secret: string }): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw new Refusal('signature_invalid', 'The event is not accepted: its signature is wrong or old');
    throw new Refusal('body_invalid', 'The event is not one that Stripe sends to webhook endpoints');
  }
}

/** The stored payment method or the customer that an event is about; null: none. */
function storedIn({ type, data }: Stripe.Event): StoredAtGateway | null {
  const kind = STORED.get(type);
  const { id: reference } = Object(data.object);
  return kind && isName(reference, LONGEST_ID) ? { kind, reference } : null;
}

/** Events about what is stored: https://docs.stripe.com/api/events/types. */
const STORED = new Map<string, StoredAtGateway['kind']>([
  ['payment_method.automatically_updated', 'source'],
  ['payment_method.detached', 'source'],
  ['payment_method.updated', 'source'],
  ['customer.deleted', 'customer'],
]);

/** The operation that an event is about. Null: none that the adapter would look at. */
function referenceIn(event: Stripe.Event): string | null {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.canceled':
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
    case 'setup_intent.canceled':
      return event.data.object.id;
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.refunded':
      return idOf(event.data.object.payment_intent);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundIn(event.data.object);
    default:
      return null;
  }
}

/** The charge of a refund that was made at Stripe, by no operation. */
function chargeIn(event: Stripe.Event): Pick<GatewayEvent, 'charge'> {
  switch (event.type) {
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return madeAtStripe(event.data.object) ? { charge: idOf(event.data.object.payment_intent) } : {};
    default:
      return {};
  }
}

/** Whether a refund was made at Stripe, by no operation. */
export const madeAtStripe = ({ metadata }: Stripe.Refund): boolean => keyIn(metadata) === null;

/** The reference of a refund: of an operation, or of one that was made at Stripe. */
export function refundIn({ id, amount: units, payment_intent: payment, metadata }: Stripe.Refund): string {
  const key = keyIn(metadata);
  const intent = idOf(payment);
  return key && intent ? refundReference({ intent, units, key }) : id;
}
