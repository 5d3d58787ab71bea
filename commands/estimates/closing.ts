import { Refusal } from '../../billing/refusal.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';

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
