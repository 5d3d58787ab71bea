import { Refusal } from '../../billing/refusal.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { EstimateMoment } from '../aggregates/estimate.ts';

/** Closes an estimate: declined, unless it is approved. Status, event and wake-up are the caller's. Refuses drafts. */
export function close({ estimate, moment }: EstimateMoment): void {
  if (!estimate.issuedAt) throw new Refusal('A draft cannot be closed: delete it', 'closed');
  Object.assign(estimate, { closed: true, declinedAt: estimate.approvedAt ? null : moment.now });
}

/** Opens it again. Refuses what is over for good, and what has expired unless it is given a new time. */
export function reopen(estimate: Estimate, { hasNewTime }: { hasNewTime: boolean }): void {
  const name = `Estimate ${estimate.number ?? estimate.id}`;
  if (estimate.voidedAt || estimate.invoice)
    throw new Refusal(`${name} is ${estimate.status}: it stays closed`, 'closed');
  if (estimate.expiredAt && !hasNewTime)
    throw new Refusal(`${name} has expired: give it a later expiration_date`, 'closed');
  Object.assign(estimate, { closed: false, declinedAt: null, expiredAt: null });
  if (!estimate.approvedAt) estimate.answer = null;
}
