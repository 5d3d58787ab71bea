import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import { checkCustomer, forCustomer, type Holder, suffixOf } from './customers.ts';
import { declineOf } from './declines.ts';
import { isGone, isRefused, kindOf } from './errors.ts';
import { refusedReference } from './references.ts';
import type { InstrumentFault } from './sources.ts';

/**
 * Creates an unconfirmed object, and returns its id. Stripe wants it to name the customer that stored its instrument; for any other instrument it names
 * the one that we keep. If the customer that stored an instrument is gone, so is the instrument.
 */
export async function createdFor(
  holder: Holder,
  operation: GatewayOperation,
  { stored, create }: { stored: string | null; create: (customer: string, suffix: string) => Promise<{ id: string }> },
): Promise<string> {
  const ofOurs = () => forCustomer(holder, ({ reference, generation }) => create(reference, suffixOf(generation)));
  try {
    return await createdOrRefused(operation, () => (stored === null ? ofOurs() : create(stored, '')));
  } catch (error) {
    if (stored === null || !isGone(error, 'customer')) throw error;
    await holder.customers.lost(holder.owner, stored);
    return refusedReference('source_deleted', operation);
  }
}

/** The reference of an operation whose instrument cannot be used. A source may be gone together with its customer. */
export async function refusedInstrument(
  holder: Holder,
  operation: GatewayOperation,
  fault: InstrumentFault,
): Promise<string> {
  if (fault === 'source_deleted') await checkCustomer(holder);
  return refusedReference(fault, operation);
}

/** The id of an unconfirmed object that Stripe creates, or a reference that says why it was declined. */
async function createdOrRefused(operation: GatewayOperation, create: () => Promise<{ id: string }>): Promise<string> {
  try {
    return (await create()).id;
  } catch (error) {
    if (isRefused(error) && kindOf(error) === 'decline') return refusedReference(declineOf(error).code, operation);
    throw error;
  }
}
