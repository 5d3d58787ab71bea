import { DISABLE_AFTER_MILLISECONDS, type FailureVerdict, judgeFailure } from '../../billing/webhook.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type Head,
  type LaneKey,
  lockLane,
  recordSuccess,
  scheduleLane,
} from '../../db/queries/webhooks/deliveries.ts';
import { Webhook } from '../../db/schema/webhook.ts';
import { WebhookAttempt, WebhookDelivery } from '../../db/schema/webhookDelivery.ts';
import { webhookDisabledEmail } from '../../present/emails/teamMails.ts';
import { accountMoment, systemCaller } from '../kernel/caller.ts';
import { queueEmail } from '../mail/emails.ts';
import type { WebhookAnswer } from '../ports/ports.ts';

/** An attempt of a delivery, and the endpoint's answer. */
export interface Delivered {
  accountId: number;
  webhookId: number;
  head: Head;
  answer: WebhookAnswer;
}

/** Records a successful delivery and schedules its lane, in one statement. Returns whether more may be due on the lane. */
export function recordDelivered(em: EntityManager, delivered: Delivered, systemNow: Date): Promise<boolean> {
  const { statusCode, answer } = delivered.answer;
  const success = { id: delivered.head.id, statusCode, answer, latencyMilliseconds: latencyOf(delivered) };
  return recordSuccess(em, { lane: laneOf(delivered), ...success }, systemNow);
}

/**
 * Records a failed attempt and plans the next one on its lane, after the wait of `judgeFailure`. After the tenth attempt the next delivery of
 * the lane is due at once; after an answer 410 the lane waits until the endpoint is enabled. Disables an endpoint that is gone or has only
 * failed for five days. `chance`: a random number from 0 to 1, for the jitter of retries.
 * Returns true: more may be due on the lane.
 */
export async function recordFailed(
  em: EntityManager,
  failed: Delivered & { chance: number },
  systemNow: Date,
): Promise<boolean> {
  const { accountId, webhookId, head, answer, chance } = failed;
  const { statusCode, retryAfterSeconds } = answer;
  const lane = laneOf(failed);
  await lockLane(em, lane);
  const delivery = await em.findOne(WebhookDelivery, { accountId, id: head.id });
  if (delivery?.state !== 'waiting' || delivery.attempts !== head.attempts) return true; // it is recorded already
  delivery.attempts += 1;
  const verdict = judgeFailure({ attempts: delivery.attempts, statusCode, retryAfterSeconds, chance });
  const retryAt = verdict.kind === 'retry' ? new Date(systemNow.getTime() + verdict.waitMilliseconds) : null;
  if (verdict.kind === 'failed') Object.assign(delivery, { state: verdict.kind, endedAt: systemNow });
  em.create(WebhookAttempt, {
    accountId,
    webhookId,
    deliveryId: delivery.id,
    eventId: head.eventId,
    attempt: delivery.attempts,
    statusCode,
    error: answer.error?.slice(0, 255) ?? null,
    answer: answer.answer,
    latencyMilliseconds: latencyOf(failed),
    nextAttemptAt: retryAt,
    createdAt: systemNow,
  });
  await updateHealth(em, { accountId, webhookId, verdict }, systemNow);
  await em.write();
  await scheduleLane(em, lane, { retryAt, now: systemNow });
  return true;
}

function laneOf({ accountId, webhookId, head: { subjectType, subjectId } }: Delivered): LaneKey {
  return { accountId, webhookId, subjectType, subjectId };
}

function latencyOf({ answer }: Delivered): number {
  return Math.round(answer.latencyMilliseconds);
}

/** Records since when an endpoint fails. Disables an endpoint that is gone or has failed for too long. */
async function updateHealth(
  em: EntityManager,
  failed: { accountId: number; webhookId: number; verdict: FailureVerdict },
  systemNow: Date,
): Promise<void> {
  const webhook = await em.findOneOrFail(Webhook, { accountId: failed.accountId, id: failed.webhookId });
  const since = webhook.failingSince?.getTime() ?? null;
  if (since === null) webhook.failingSince = systemNow;
  const gone = failed.verdict.kind === 'gone';
  const cutoff = new Date(systemNow.getTime() - DISABLE_AFTER_MILLISECONDS);
  const dead = since !== null && since <= cutoff.getTime();
  if (!webhook.enabled || (!gone && !dead)) return;
  const disabledReason = gone ? 'answered 410 Gone' : 'failed for five days';
  const disabled = { enabled: false, disabledReason, updatedAt: systemNow };
  // The condition lets only one of several concurrent failures disable the endpoint and queue the mail. It also keeps a late failure from
  // disabling an endpoint that was enabled again.
  const stillFailing = {
    accountId: failed.accountId,
    id: failed.webhookId,
    enabled: true,
    ...(gone ? {} : { failingSince: { $lte: cutoff } }),
  };
  if ((await em.nativeUpdate(Webhook, stillFailing, disabled)) === 0) return;
  Object.assign(webhook, disabled);
  await queueDisabledMail(em, webhook, systemNow);
}

/** Queues a mail to the account's address that the endpoint was disabled. */
async function queueDisabledMail(em: EntityManager, webhook: Webhook, systemNow: Date): Promise<void> {
  const caller = await systemCaller(em, webhook.accountId);
  const { name, email } = caller.account;
  if (!email) return;
  const at = { moment: accountMoment(caller, systemNow), customer: null, clockId: null };
  const cause = `webhook:${webhook.id}:${systemNow.getTime()}`;
  const rendered = webhookDisabledEmail({ seller: caller.account, webhook });
  queueEmail(em, at, { template: 'webhook_disabled_email', cause, to: { name, email }, rendered });
}
