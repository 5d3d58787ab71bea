import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Email } from '../../db/schema/email.ts';
import { estimateEmail } from '../../present/emails/estimate.ts';
import {
  estimateEventObject,
  type LockedEstimate,
  lockEstimate,
  recordEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import { refuseUnissued, sendDocument } from '../documents/sending.ts';
import type { Caller } from '../kernel/caller.ts';
import { type Sending, templateFor } from '../mail/sending.ts';
import type { EstimateKey } from './voiding.ts';

/** Queues the mails of an estimate. Refuses a draft, a voided estimate and an empty list of recipients. Throws Missing. */
export async function sendEstimate(
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending },
  systemNow: Date,
): Promise<Email[]> {
  const { sending } = input;
  const locked = await lockEstimate(em, input, systemNow);
  const { estimate } = locked;
  refuseUnissued('Estimate', estimate);
  const template = await templateFor(em, 'estimate', {
    accountId: estimate.accountId,
    wanted: sending.template,
    usual: 'estimate_email',
  });
  const mails = await sendDocument(em, locked, {
    sending,
    template,
    document: { type: 'estimate', id: estimate.id },
    carrier: { estimate },
    render: (facts) => estimateEmail({ ...facts, estimate }),
  });
  markSent(em, locked);
  await em.write();
  return mails;
}

/** Marks the estimate as sent, if it is not marked yet. */
function markSent(em: EntityManager, locked: LockedEstimate): void {
  const { estimate, moment } = locked;
  if (estimate.sentAt) return;
  const before = estimateEventObject(locked);
  estimate.sentAt = moment.now;
  updateEstimateStatus(estimate, moment.now);
  recordEstimate(em, locked, { type: 'estimate.updated', before });
}

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
