import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import { declineOf } from './declines.ts';
import { isRefused, kindOf } from './errors.ts';
import { refusedReference } from './references.ts';

/** The id of an unconfirmed object that Stripe creates, or a reference that says why it was declined. */
export async function createdOrRefused(
  operation: GatewayOperation,
  create: () => Promise<{ id: string }>,
): Promise<string> {
  try {
    return (await create()).id;
  } catch (error) {
    if (isRefused(error) && kindOf(error) === 'decline') return refusedReference(declineOf(error).code, operation);
    throw error;
  }
}
