import type Stripe from 'stripe';
import type { GatewayLook, GatewayOperation, GatewayOutcome } from '../../../commands/ports/ports.ts';
import { abandonedMark, abandonRequest, isAbandoned, throwUnlessUnmade } from './abandoning.ts';
import { unitsOf } from './amounts.ts';
import type { Call } from './client.ts';
import { declineOf } from './declines.ts';
import { isUsedKey, refusalIn } from './errors.ts';
import { keyIn, keyMark } from './marks.ts';
import { type Reference, readReference, refundReference, refusedReference } from './references.ts';
import { orNull } from './sources.ts';

type Wanted = Extract<Reference, { kind: 'refund' }>;

/** Stripe has no unconfirmed refunds: the reference says what to refund. */
export async function prepareRefund(
  call: Call,
  operation: Extract<GatewayOperation, { kind: 'refund' }>,
): Promise<string> {
  const { key, amount, currency } = operation;
  const charge = readReference(operation.reference);
  const units = unitsOf(amount, currency);
  if (typeof units === 'string') return refusedReference(units, operation);
  if (charge.kind !== 'charge') return refusedReference('charge_unknown', operation);
  const intent = await orNull(call((stripe) => stripe.paymentIntents.retrieve(charge.id)));
  if (intent?.currency !== currency) return refusedReference('charge_unknown', operation);
  return refundReference({ intent: intent.id, units, key });
}

/**
 * Refunds once. A refund that exists is found by its key, also when Stripe has forgotten the key of the request. Throws while the request may
 * be under way.
 */
export async function confirmRefund(call: Call, wanted: Wanted): Promise<GatewayOutcome> {
  const existing = await findRefund(call, wanted);
  if (existing) return outcomeOf(existing);
  try {
    return outcomeOf(await createRefund(call, wanted));
  } catch (error) {
    const refusal = refusalIn(error);
    const found = await findRefund(call, wanted);
    if (found) return outcomeOf(found);
    await throwUnlessUnmade(refusal, () => isMarked(call, wanted));
    if (isUsedKey(refusal)) return { status: 'abandoned' };
    return failed({ code: refusal.code ?? 'refund_refused', message: refusal.message });
  }
}

/** Sends the request that the reference describes. References of earlier versions stay as they are, and so do their requests. */
function createRefund(call: Call, wanted: Wanted): Promise<Stripe.Refund> {
  const { intent, units, key } = wanted;
  const params = { payment_intent: intent, amount: units, metadata: keyMark(key) };
  return call((stripe) => stripe.refunds.create(params, { idempotencyKey: keyOf(wanted) }));
}

export async function lookAtRefund(call: Call, wanted: Wanted): Promise<GatewayLook> {
  const intent = await orNull(call((stripe) => stripe.paymentIntents.retrieve(wanted.intent)));
  if (!intent) return { status: 'not_found' };
  const refund = await findRefund(call, wanted);
  if (refund) return outcomeOf(refund);
  return { status: isAbandoned(intent.metadata, wanted.key) ? 'abandoned' : 'unconfirmed' };
}

/** Makes sure that a refund is not made. False: it is made already. Throws while neither is certain. */
export function abandonRefund(call: Call, wanted: Wanted, age: number): Promise<boolean> {
  const params = { metadata: abandonedMark(wanted.key) };
  const idempotencyKey = keyOf(wanted);
  const isMade = (refund: Stripe.Refund) => outcomeOf(refund).status !== 'failed';
  const request = {
    read: async () => {
      const refund = await findRefund(call, wanted);
      return refund ? isMade(refund) : null;
    },
    useKeyUp: () => call((stripe) => stripe.paymentIntents.update(wanted.intent, params, { idempotencyKey })),
    isMarked: () => isMarked(call, wanted),
    repeat: async () => isMade(await createRefund(call, wanted)),
  };
  return abandonRequest(request, age);
}

async function isMarked(call: Call, { intent, key }: Wanted): Promise<boolean> {
  return isAbandoned((await call((stripe) => stripe.paymentIntents.retrieve(intent))).metadata, key);
}

/** A refund that was made at Stripe, by its id there. */
export async function lookAtDashboardRefund(call: Call, id: string): Promise<GatewayLook> {
  const refund = await orNull(call((stripe) => stripe.refunds.retrieve(id)));
  return refund ? outcomeOf(refund) : { status: 'not_found' };
}

const keyOf = ({ key }: Wanted): string => `refund-${key}`;

/** Most refunds of a charge that are read. */
const MOST = 10_000;

async function findRefund(call: Call, { intent, key }: Wanted): Promise<Stripe.Refund | undefined> {
  const list = (stripe: Stripe) => stripe.refunds.list({ payment_intent: intent, limit: 100 });
  const refunds = await orNull(call((stripe) => list(stripe).autoPagingToArray({ limit: MOST })));
  return refunds?.find(({ metadata }) => keyIn(metadata) === key);
}

const FAILURES: Readonly<Record<string, string>> = {
  charge_for_pending_refund_disputed: 'The charge was disputed while its refund was pending.',
  declined: 'The bank refused the refund.',
  expired_or_canceled_card: 'The card is expired or was cancelled.',
  insufficient_funds: 'The balance at Stripe did not cover the refund.',
  lost_or_stolen_card: 'The card was lost or stolen.',
  merchant_request: 'The refund was cancelled at Stripe.',
  refund_canceled: 'The refund was cancelled at Stripe.',
};

function outcomeOf({ id, status, failure_reason: reason }: Stripe.Refund): GatewayOutcome {
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', source: null };
    case 'pending':
    case 'requires_action':
      return { status: 'pending', source: null };
    case 'failed':
    case 'canceled': {
      const code = status === 'canceled' ? 'refund_canceled' : (reason ?? 'unknown');
      return failed({ code, message: FAILURES[code] ?? 'The refund failed. Stripe gave no reason.' });
    }
    default:
      throw new Error(`Refund ${id} has a status that is not known: ${status}`);
  }
}

/** A refund that failed is never made later. */
const failed = (fault: { code: string; message: string }): GatewayOutcome => {
  return { status: 'failed', ...declineOf(fault), kind: 'hard', source: null };
};
