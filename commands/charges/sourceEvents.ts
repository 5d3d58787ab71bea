import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { inTransaction } from '../../db/transaction.ts';
import { checkOwner, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { Gateway, StoredAtGateway, VaultedSource } from '../ports/ports.ts';
import { type AttemptDeps, type Found, type OpenAttempt, warn } from './openAttempt.ts';
import { endGoneSource, followSource } from './sourceOutcomes.ts';

/** A stored source that an event is about, as its gateway shows it. `told` null: it is no longer stored there. */
export interface LookedAtSource {
  accountId: number;
  id: number;
  /** The time of its last change here before the look; null: what was told holds whatever has changed since. */
  knownAt: Date | null;
  told: VaultedSource | null;
}

/**
 * Reads the stored sources that an event is about at their gateway, outside any transaction: an event is a hint. Sources that were deleted here are
 * left out, and so are objects that were never stored here.
 */
export async function lookAtSources(
  em: EntityManager,
  of: { accountId: number; gateway: Gateway; about: StoredAtGateway; signal: AbortSignal },
): Promise<LookedAtSource[]> {
  const { accountId, gateway, about, signal } = of;
  const named = about.kind === 'source' ? { gatewayId: about.reference } : { gatewayCustomer: about.reference };
  const stored = { accountId, gateway: gateway.name, ...named, deletedAt: null };
  const sources = await em.fork().find(PaymentSource, stored, { fields: ['id', 'gatewayId', 'updatedAt'] });
  if (sources.length === 0 || !gateway.readSource) return [];
  if (about.kind === 'customer' && (await gateway.hasCustomer?.(about.reference, signal)) !== false) return [];
  const told = about.kind === 'source' ? await gateway.readSource(about.reference, signal) : null;
  return sources.map(({ id, updatedAt }) => ({ accountId, id, knownAt: updatedAt, told }));
}

/**
 * Looks at a source that an attempt has just stored: it may have changed or gone at the gateway before it was recorded, when its event found nothing
 * here. A gateway that does not answer is logged: then the next charge of the source tells.
 */
export async function lookAtNewSource(deps: AttemptDeps, open: OpenAttempt, outcome: Found): Promise<void> {
  const { kind, vault, source } = open.attempt;
  if ((kind !== 'vault' && !vault) || source || !('source' in outcome) || !outcome.source) return;
  const about = { kind: 'source' as const, reference: outcome.source.reference };
  try {
    const of = { accountId: open.key.accountId, gateway: open.gateway, about, signal: open.signal };
    for (const looked of await lookAtSources(deps.em, of))
      await inTransaction(deps.em, (em) => recordSource(em, looked, deps.systemNow()));
  } catch (error) {
    warn(deps, open, error);
  }
}

/** Records what was read of a source. False: it has changed since the look began, which has to be repeated. */
export async function recordSource(em: EntityManager, looked: LookedAtSource, systemNow: Date): Promise<boolean> {
  const { accountId, id, knownAt, told } = looked;
  const { locked, source } = await retryOnOwnerChange(async () => {
    const locked = await lockOwnerAsSystem(em, { table: 'payment_source', accountId, id }, systemNow);
    const source = await lockRow(em, PaymentSource, { accountId, id });
    if (source) checkOwner(locked, source);
    return { locked, source };
  });
  if (!source || source.deletedAt) return true;
  if (knownAt && source.updatedAt.getTime() !== knownAt.getTime()) return false;
  if (told) await followSource(em, locked, { source, told });
  else await endGoneSource(em, locked, source);
  return true;
}
