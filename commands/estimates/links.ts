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
  const at = await lockEstimate(em, key, systemNow);
  const before = estimateEventObject(at);
  Object.assign(at.estimate, { token: newToken(), updatedAt: at.moment.now });
  recordEstimate(em, at, { type: 'estimate.updated', before });
  return at;
}
