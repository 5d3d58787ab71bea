import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import {
  estimateEventObject,
  expireIfDue,
  type LockedEstimate,
  lockEstimateOf,
  recordEstimate,
  replanEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { type ProcessKey, type StepOutcome, tellClock } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';

/** Expires an estimate if that is due. One step per transaction. */
export function advanceEstimate(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'estimate', systemNow }, () => takeStep(em, key, systemNow));
}

async function takeStep(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const locked = await retryOnOwnerChange(async () =>
    lockEstimateOf(em, await lockOwnerAsSystem(em, { table: 'estimate', accountId, id }, systemNow), id),
  );
  const { estimate, moment } = locked;
  const before = estimateEventObject(locked);
  const did = expireIfDue(estimate, moment.now) ? 'expired' : null;
  if (did) {
    updateEstimateStatus(estimate, moment.now);
    recordEstimate(em, locked, { type: 'estimate.updated', before, reason: 'expiration_date_passed' });
    tellClock(em, locked, { type: 'estimate', id, did });
  }
  return { did, ...(await replanEstimate(em, locked, { inside: true })), call: null };
}

/**
 * Closes an estimate. It is declined unless it is approved. The caller updates status and wake-up and records the event. Refuses a draft.
 */
export function close({ estimate, moment }: LockedEstimate): void {
  if (!estimate.issuedAt) throw new Refusal('state_conflict', 'A draft cannot be closed: delete it', 'closed');
  Object.assign(estimate, { closed: true, declinedAt: estimate.approvedAt ? null : moment.now });
}

/**
 * Reopens an estimate. `hasNewTime`: the request has an expiration date. Refuses one that is voided, invoiced, or expired without a new
 * date.
 */
export function reopen(estimate: Estimate, { hasNewTime }: { hasNewTime: boolean }): void {
  const name = `Estimate ${estimate.number ?? estimate.id}`;
  if (estimate.voidedAt || estimate.invoice)
    throw new Refusal('state_conflict', `${name} is ${estimate.status} and cannot be reopened`, 'closed');
  if (estimate.expiredAt && !hasNewTime)
    throw new Refusal('state_conflict', `${name} has expired: give it a later expiration_date`, 'closed');
  Object.assign(estimate, { closed: false, declinedAt: null, expiredAt: null });
  if (!estimate.approvedAt) estimate.answer = null;
}
