import type { GatewayLook, GatewayOutcome } from '../../../commands/ports/ports.ts';
import { abandonedMark, abandonRequest, isAbandoned } from './abandoning.ts';
import type { Call } from './client.ts';
import { declineOf } from './declines.ts';
import { isUsedKey, refusalIn } from './errors.ts';
import type { Reference } from './references.ts';
import { orNull } from './sources.ts';

type Wanted = Extract<Reference, { kind: 'delete_source' }>;

/** Deletes a source: it no longer belongs to a customer, and can never be charged again. Throws while the request may be under way. */
export async function confirmDeletion(call: Call, wanted: Wanted): Promise<GatewayOutcome> {
  const refusal = await detach(call, wanted).then(() => null, refusalIn);
  if (!refusal) return { status: 'succeeded', source: null };
  const { status } = await lookAtDeletion(call, wanted);
  if (status === 'succeeded') return { status, source: null };
  if (status === 'abandoned') return { status };
  if (isUsedKey(refusal)) throw refusal;
  return { status: 'failed', ...declineOf(refusal), source: null };
}

function detach(call: Call, wanted: Wanted): Promise<unknown> {
  const idempotencyKey = keyOf(wanted);
  return call((stripe) => stripe.paymentMethods.detach(wanted.source, {}, { idempotencyKey }));
}

/** A payment method that Stripe does not know is as good as deleted. */
export async function lookAtDeletion(call: Call, { source, key }: Wanted): Promise<GatewayLook> {
  const method = await orNull(call((stripe) => stripe.paymentMethods.retrieve(source)));
  if (!method?.customer) return { status: 'succeeded', source: null };
  return { status: isAbandoned(method.metadata, key) ? 'abandoned' : 'unconfirmed' };
}

/** Makes sure that a source is not deleted. False: it is deleted already. Throws while neither is certain. */
export function abandonDeletion(call: Call, wanted: Wanted, age: number): Promise<boolean> {
  const params = { metadata: abandonedMark(wanted.key) };
  const idempotencyKey = keyOf(wanted);
  const request = {
    read: async () => ((await lookAtDeletion(call, wanted)).status === 'succeeded' ? true : null),
    useKeyUp: () => call((stripe) => stripe.paymentMethods.update(wanted.source, params, { idempotencyKey })),
    isMarked: async () => (await lookAtDeletion(call, wanted)).status === 'abandoned',
    repeat: () => detach(call, wanted).then(() => true),
  };
  return abandonRequest(request, age);
}

const keyOf = ({ key }: Wanted): string => `delete-${key}`;
