import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';
import { estimateEventObject, type LockedEstimate, lockEstimate, recordEstimate } from '../aggregates/estimate.ts';
import type { EstimateKey } from './voiding.ts';

/**
 * Gives new addresses to the page of an estimate, its PDF and the pages that pay its deposit. Those from before lead nowhere from now on, also
 * those in mails. Throws Missing.
 */
export async function revokeEstimateLinks(
  em: EntityManager,
  key: EstimateKey,
  systemNow: Date,
): Promise<LockedEstimate> {
  const locked = await lockEstimate(em, key, systemNow);
  const before = estimateEventObject(locked);
  Object.assign(locked.estimate, { token: newToken(), updatedAt: locked.moment.now });
  recordEstimate(em, locked, { type: 'estimate.updated', before });
  return locked;
}
