import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { sourceIdsOf } from '../../db/queries/portal/sources.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import type { PortalVisitor } from './sessions.ts';

/**
 * The stored sources that a visitor may use: those of the customer, the default one first; a contact uses only those that it added itself.
 */
export async function ownSources(em: EntityManager, visitor: PortalVisitor): Promise<PaymentSource[]> {
  const { accountId, session, rights } = visitor;
  const of = { accountId, customer: [accountId, session.customerId] as const, deletedAt: null };
  const all = await em.find(PaymentSource, of, { orderBy: { id: 'asc' } });
  if (rights === 'manage') return all;
  if (rights === 'view' || session.email === null) return [];
  const { customerId, email } = session;
  const own = new Set(await sourceIdsOf(em, { accountId, customerId, email }));
  return all.filter(({ id }) => own.has(id));
}

/** One of these sources. Refuses any other. */
export async function ownSource(em: EntityManager, visitor: PortalVisitor, id: number): Promise<PaymentSource> {
  const found = (await ownSources(em, visitor)).find((source) => source.id === id);
  if (!found) throw new Refusal('resource_missing', 'Payment source was not found', 'source');
  return found;
}
