import Stripe from 'stripe';
import type { GatewayCustomer, GatewayCustomers } from '../../../commands/ports/ports.ts';
import type { Call } from './client.ts';
import { isGone } from './errors.ts';
import { type Owner, ownerMark } from './marks.ts';
import { orNull } from './sources.ts';

/** The deployment that makes objects at Stripe, and where it keeps the customers there. */
export interface Place {
  deployment: string;
  customers: GatewayCustomers;
}

/** A customer of ours at Stripe, and how to ask for it. */
export interface Holder {
  call: Call;
  owner: Owner;
  customers: GatewayCustomers;
}

interface Made extends GatewayCustomer {
  reference: string;
}

/**
 * Carries out a request that names a customer at Stripe. One that is gone there is made anew, and the request is sent again. `generation` has to
 * be part of the request's idempotency key, because the second request names another customer.
 */
export async function forCustomer<T>(holder: Holder, request: (made: Made) => Promise<T>): Promise<T> {
  const made = await ensureCustomer(holder);
  try {
    return await request(made);
  } catch (error) {
    if (!isGone(error, 'customer')) throw error;
    await holder.customers.lost(holder.owner, made.reference);
    return request(await ensureCustomer(holder));
  }
}

/** Notes that the customer is gone at Stripe, if it is: all that it had stored is gone, too. */
export async function checkCustomer({ call, owner, customers }: Holder): Promise<void> {
  const { reference } = await customers.read(owner);
  if (reference !== null && !(await hasCustomer(call, reference))) await customers.lost(owner, reference);
}

/**
 * Finds the customer at Stripe, or creates it. Its id is kept. One that an earlier version made without keeping its id is found by a search, unless the
 * customer was made anew since.
 */
async function ensureCustomer({ call, owner, customers }: Holder): Promise<Made> {
  const { reference, generation } = await customers.read(owner);
  if (reference !== null) return { reference, generation };
  const found = generation === 0 ? await searchCustomer(call, owner) : null;
  const made = found ? { reference: found, generation } : await createCustomer({ call, owner, customers }, generation);
  await customers.keep(owner, made);
  return made;
}

async function searchCustomer(call: Call, owner: Owner): Promise<string | null> {
  const found = await call((stripe) => stripe.customers.search({ query: queryOf(owner), limit: 1 })).catch(none);
  return found?.data[0]?.id ?? null;
}

/**
 * Stripe keeps the answer under the key of a creation for a day, also if that is an error: https://docs.stripe.com/api/idempotent_requests. Then
 * the next generation has another key.
 */
async function createCustomer(holder: Holder, generation: number, isLast = false): Promise<Made> {
  const { call, owner, customers } = holder;
  const { deployment, accountId, customerId } = owner;
  const params = {
    description: `Customer ${customerId} of account ${accountId}`,
    metadata: ownerMark(owner),
  };
  const idempotencyKey = `customer-${deployment}-${accountId}-${customerId}${suffixOf(generation)}`;
  try {
    const { id } = await call((stripe) => stripe.customers.create(params, { idempotencyKey }));
    return { reference: id, generation };
  } catch (error) {
    if (!isKept(error)) throw error;
    await customers.keep(owner, { reference: null, generation: generation + 1 });
    if (isLast) throw error;
    return createCustomer(holder, generation + 1, true);
  }
}

/** The part of an idempotency key by which a customer that was made anew differs. */
export const suffixOf = (generation: number): string => (generation === 0 ? '' : `-${generation}`);

/** The key or its right (401, 403), a request in flight (409), too many (429). */
const UNKEPT = new Set([401, 403, 409, 429]);

/** Whether Stripe may answer the same request with the same key by this error again: not if nothing was carried out, or it is in flight. */
function isKept(error: unknown): boolean {
  const status: number = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
  return status >= 400 && !UNKEPT.has(status);
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
