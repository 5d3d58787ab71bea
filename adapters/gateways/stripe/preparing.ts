import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import { declineOf } from './declines.ts';
import { isRefused } from './errors.ts';
import { refusedReference } from './references.ts';

/** The id of an unconfirmed object that Stripe creates, or a reference that says why Stripe refused to. */
export async function createdOrRefused(
  operation: GatewayOperation,
  create: () => Promise<{ id: string }>,
): Promise<string> {
  try {
    return (await create()).id;
  } catch (error) {
    if (isRefused(error)) return refusedReference(declineOf(error).code, operation);
    throw error;
  }
}
