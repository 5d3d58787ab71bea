import type { GatewayLook, GatewayOutcome } from '../../../commands/ports/ports.ts';
import { abandonedMark, isAbandoned, useKeyUp } from './abandoning.ts';
import type { Call } from './client.ts';
import { declineOf } from './declines.ts';
import { refusalIn } from './errors.ts';
import type { Reference } from './references.ts';
import { orNull } from './sources.ts';

type Wanted = Extract<Reference, { kind: 'delete_source' }>;

/** Deletes a source: it no longer belongs to a customer, and can never be charged again. */
export async function confirmDeletion(call: Call, wanted: Wanted): Promise<GatewayOutcome> {
  const { source } = wanted;
  const idempotencyKey = keyOf(wanted);
  const detached = await call((stripe) => stripe.paymentMethods.detach(source, {}, { idempotencyKey })).catch(
    refusalIn,
  );
  if (!(detached instanceof Error)) return { status: 'succeeded', source: null };
  const { status } = await lookAtDeletion(call, wanted);
  if (status === 'succeeded') return { status, source: null };
  return status === 'abandoned' ? { status } : { status: 'failed', ...declineOf(detached), source: null };
}

/** A payment method that Stripe does not know is as good as deleted. */
export async function lookAtDeletion(call: Call, { source, key }: Wanted): Promise<GatewayLook> {
  const method = await orNull(call((stripe) => stripe.paymentMethods.retrieve(source)));
  if (!method?.customer) return { status: 'succeeded', source: null };
  return { status: isAbandoned(method.metadata, key) ? 'abandoned' : 'unconfirmed' };
}

/** Makes sure that a source is not deleted. False: it is deleted already. */
export async function abandonDeletion(call: Call, wanted: Wanted): Promise<boolean> {
  if ((await lookAtDeletion(call, wanted)).status === 'succeeded') return false;
  const params = { metadata: abandonedMark(wanted.key) };
  const idempotencyKey = keyOf(wanted);
  await useKeyUp(call((stripe) => stripe.paymentMethods.update(wanted.source, params, { idempotencyKey })));
  return (await lookAtDeletion(call, wanted)).status !== 'succeeded';
}

const keyOf = ({ key }: Wanted): string => `delete-${key}`;
