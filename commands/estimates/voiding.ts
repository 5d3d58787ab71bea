import { amountText, isPositive } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { releaseNumber } from '../accounts/numbering.ts';
import {
  estimateEventObject,
  type LockedEstimate,
  lockEstimate,
  recordEstimate,
  replanEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import { releaseRedemptions } from '../catalog/couponRedemptions.ts';
import { closePdfProblem } from '../documents/pdfProblems.ts';
import { type Caller, requirePermission } from '../kernel/caller.ts';

export interface EstimateKey {
  caller: Caller;
  id: number;
}

/** Voids an estimate. Refuses one that is invoiced or whose deposit is paid in part. Throws Missing. */
export async function voidEstimate(em: EntityManager, key: EstimateKey, systemNow: Date): Promise<LockedEstimate> {
  const locked = await lockEstimate(em, key, systemNow);
  if (locked.estimate.status === 'voided') throw new Refusal('state_conflict', 'Estimate is already voided');
  checkRevocable(locked, 'voided');
  const before = estimateEventObject(locked);
  Object.assign(locked.estimate, { voidedAt: locked.moment.now, closed: true });
  updateEstimateStatus(locked.estimate, locked.moment.now);
  recordEstimate(em, locked, { type: 'estimate.updated', before });
  await replanEstimate(em, locked);
  return locked;
}

/**
 * Deletes an estimate. Removes the row of a draft. An issued estimate keeps its number. Refuses what `voidEstimate` refuses, except a
 * voided estimate. Throws Missing.
 */
export async function deleteEstimate(em: EntityManager, key: EstimateKey, systemNow: Date): Promise<LockedEstimate> {
  const locked = await lockEstimate(em, key, systemNow);
  const { estimate, moment } = locked;
  if (estimate.issuedAt) requirePermission(key.caller, 'corrections.write', 'Deletion of an issued estimate');
  checkRevocable(locked, 'deleted');
  const before = estimateEventObject(locked);
  Object.assign(estimate, { deletedAt: moment.now, updatedAt: moment.now });
  recordEstimate(em, locked, { type: 'estimate.deleted', before });
  const about = { accountId: estimate.accountId, documentType: 'estimate', documentId: estimate.id } as const;
  await closePdfProblem(em, about, moment.systemNow);
  await replanEstimate(em, locked);
  if (!estimate.issuedAt) {
    await releaseRedemptions(em, { accountId: estimate.accountId, type: 'estimate', id: estimate.id });
    await releaseNumber(em, estimate, { series: 'estimate', reason: 'draft_deleted', now: moment.now });
    em.remove(estimate);
  }
  return locked;
}

function checkRevocable({ estimate }: LockedEstimate, what: 'voided' | 'deleted'): void {
  const { invoice, depositReceived, currency } = estimate;
  if (invoice) throw new Refusal('state_conflict', `Estimate is invoiced and cannot be ${what}: its invoice can`);
  if (!isPositive(depositReceived)) return;
  const amount = amountText(depositReceived, currency);
  throw new Refusal(
    'state_conflict',
    `Estimate has ${amount} of its deposit paid and cannot be ${what}: remove that payment first`,
  );
}
