import Stripe from 'stripe';
import type { Call } from './client.ts';
import { type Owner, ownerMark } from './marks.ts';
import { orNull } from './sources.ts';

/**
 * Finds the customer at Stripe, or creates it. The search knows customers after about a minute; the key of the creation, which Stripe keeps
 * for a day, keeps those from being created twice that it does not know yet.
 */
export async function ensureCustomer(call: Call, owner: Owner): Promise<string> {
  const found = await call((stripe) => stripe.customers.search({ query: queryOf(owner), limit: 1 })).catch(none);
  const [first] = found?.data ?? [];
  if (first) return first.id;
  const { deployment, accountId, customerId } = owner;
  const description = `Customer ${customerId} of account ${accountId}`;
  const created = await call((stripe) =>
    stripe.customers.create(
      { description, metadata: ownerMark(owner) },
      { idempotencyKey: `customer-${deployment}-${accountId}-${customerId}` },
    ),
  );
  return created.id;
}

/** Whether a customer exists. Stripe shows deleted ones with `deleted`: https://docs.stripe.com/api/customers/retrieve. */
export async function hasCustomer(call: Call, id: string): Promise<boolean> {
  const customer = await orNull(call((stripe) => stripe.customers.retrieve(id)));
  return customer !== null && !customer.deleted;
}

/** Stripe offers no search in some countries. */
function none(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
  throw error;
}

function queryOf(owner: Owner): string {
  return Object.entries(ownerMark(owner))
    .map(([name, value]) => `metadata['${name}']:'${value}'`)
    .join(' AND ');
}
