import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { sourceIdsOf, sourceIdsOfContacts } from '../../db/queries/portal/sources.ts';
import { Customer, PaymentSource } from '../../db/schema/customer.ts';
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

/** Those of them that can be charged, the default one first. */
export async function chargeableSources(em: EntityManager, visitor: PortalVisitor): Promise<PaymentSource[]> {
  const own = await ownSources(em, visitor);
  const able = own.filter(({ chargeable, failureReason }) => chargeable && failureReason !== 'not_verified');
  if (able.length === 0) return [];
  const { accountId, session } = visitor;
  const customer = await em.findOneOrFail(Customer, { accountId, id: session.customerId });
  const rank = ({ id }: PaymentSource): number => (id === customer.defaultSource?.id ? 0 : 1);
  return able.toSorted((one, other) => rank(one) - rank(other));
}

/** One of these sources. Refuses any other. */
export async function ownSource(em: EntityManager, visitor: PortalVisitor, id: number): Promise<PaymentSource> {
  const found = (await ownSources(em, visitor)).find((source) => source.id === id);
  if (!found) throw new Refusal('resource_missing', 'Payment source was not found', 'source');
  return found;
}

/** The sources, by id, that a contact of the customer stored for itself: the portal makes none of them the default. */
export async function personalSources(em: EntityManager, { accountId, session }: PortalVisitor): Promise<Set<number>> {
  return new Set(await sourceIdsOfContacts(em, { accountId, customerId: session.customerId }));
}
