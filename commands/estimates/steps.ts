import type { EntityManager } from '../../db/orm.ts';
import {
  estimateEventObject,
  expireIfDue,
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
