import { isFallbackNext, type LastAttempt } from '../../billing/collection/collection.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { hasSource, isCollectable } from '../aggregates/collectionState.ts';
import type { LockedInvoiceWithoutLines } from '../aggregates/invoice.ts';

/** The source that AutoPay charges next. */
export interface AutomaticSource {
  source: PaymentSource;
  isFallback: boolean;
}

/** Sources of a customer that are looked at for a fallback. */
const MOST_SOURCES = 20;

/** The source that AutoPay charges next for an invoice, or null if none can be charged. `last`: its last attempt, if there was one. */
export async function automaticSource(
  em: EntityManager,
  locked: LockedInvoiceWithoutLines,
  last: LastAttempt | null,
): Promise<AutomaticSource | null> {
  const { customer, invoice } = locked;
  const fallback = last && isFallbackNext(last) ? await findFallback(em, locked) : null;
  if (fallback) return { source: fallback, isFallback: true };
  const { defaultSource } = customer;
  return defaultSource && hasSource(customer, invoice) ? { source: defaultSource, isFallback: false } : null;
}

/**
 * The source that AutoPay charges once after a hard decline of the default one: the newest other one that it can charge. Null: there is
 * none, or the customer has not allowed it.
 */
export async function findFallback(
  em: EntityManager,
  locked: LockedInvoiceWithoutLines,
): Promise<PaymentSource | null> {
  const { customer, invoice } = locked;
  if (!customer.autopayFallback) return null;
  const { accountId, id } = customer;
  const others = await em.find(
    PaymentSource,
    { accountId, customer: [accountId, id] as const, chargeable: true, id: { $ne: customer.defaultSource?.id ?? 0 } },
    { orderBy: { id: 'desc' }, limit: MOST_SOURCES },
  );
  return others.find((source) => isCollectable(source, customer, invoice)) ?? null;
}
