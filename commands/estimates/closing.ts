import { Refusal } from '../../billing/refusal.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';

/**
 * Closes an estimate; it is declined unless it is approved. The caller updates its status and wake-up and records its event. Refuses
 * drafts.
 */
export function close({ estimate, moment }: LockedEstimate): void {
  if (!estimate.issuedAt) throw new Refusal('A draft cannot be closed: delete it', 'closed');
  Object.assign(estimate, { closed: true, declinedAt: estimate.approvedAt ? null : moment.now });
}

/** Reopens an estimate. Refuses a voided or invoiced one, and an expired one without a new expiration. */
export function reopen(estimate: Estimate, { hasNewTime }: { hasNewTime: boolean }): void {
  const name = `Estimate ${estimate.number ?? estimate.id}`;
  if (estimate.voidedAt || estimate.invoice)
    throw new Refusal(`${name} is ${estimate.status} and cannot be reopened`, 'closed');
  if (estimate.expiredAt && !hasNewTime)
    throw new Refusal(`${name} has expired: give it a later expiration_date`, 'closed');
  Object.assign(estimate, { closed: false, declinedAt: null, expiredAt: null });
  if (!estimate.approvedAt) estimate.answer = null;
}
