import { randomBytes } from 'node:crypto';
import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { enqueueOnce } from '../../db/queries/processes/outbox.ts';
import { lockLane, scheduleLane } from '../../db/queries/webhooks/deliveries.ts';
import { Webhook } from '../../db/schema/webhook.ts';
import { WebhookAttempt, WebhookDelivery, WebhookLane } from '../../db/schema/webhookDelivery.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import type { Cipher, WebhookSender } from '../ports/ports.ts';

export interface NewWebhook {
  caller: Caller;
  url: string;
  /** Null: all types. */
  events: string[] | null;
  enabled: boolean;
  description: string | null;
  apiVersion: string;
}

export interface WebhookPorts {
  cipher: Cipher;
  sender: Pick<WebhookSender, 'checkUrl'>;
}

export interface WebhookKey {
  caller: Caller;
  id: number;
}

export interface WebhookChange extends WebhookKey {
  url?: string;
  events?: string[] | null;
  enabled?: boolean;
  description?: string | null;
}

const MOST_WEBHOOKS = 50;
const SECRET_BYTES = 32;

/** Registers an endpoint. Returns its signing secret; the database stores it encrypted. Refuses a URL that `checkUrl` refuses. */
export async function createWebhook(
  em: EntityManager,
  input: NewWebhook & WebhookPorts,
  systemNow: Date,
): Promise<{ webhook: Webhook; secret: string }> {
  const { caller, cipher, sender, url, events, enabled, description, apiVersion } = input;
  const accountId = caller.account.id;
  sender.checkUrl(url, caller.account.environment);
  await lockCountOf(em, 'webhook', accountId);
  const count = await em.count(Webhook, { accountId, deletedAt: null });
  if (count >= MOST_WEBHOOKS) throw new Refusal('limit_exceeded', `An account has at most ${MOST_WEBHOOKS} webhooks`);
  const secret = newSecret();
  const webhook = em.create(Webhook, {
    accountId,
    url,
    events,
    enabled,
    description,
    apiVersion,
    sealedSecret: cipher.encrypt(secret),
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  return { webhook, secret };
}

/** `whsec_` and base64 of 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Changes an endpoint, if anything differs. Enabling a disabled one sends its waiting deliveries. Refuses a URL that `checkUrl` refuses.
 * Throws Missing.
 */
export async function updateWebhook(
  em: EntityManager,
  change: WebhookChange & Pick<WebhookPorts, 'sender'>,
  systemNow: Date,
): Promise<Webhook> {
  const webhook = await findWebhook(em, change);
  const { url, events, enabled, description } = change;
  if (url !== undefined && url !== webhook.url) change.sender.checkUrl(url, change.caller.account.environment);
  const resumes = enabled === true && !webhook.enabled;
  if (!assignChanges(webhook, { url, events, enabled, description })) return webhook;
  if (resumes) await resume(em, webhook, systemNow);
  webhook.updatedAt = systemNow;
  return webhook;
}

async function resume(em: EntityManager, webhook: Webhook, systemNow: Date): Promise<void> {
  Object.assign(webhook, { failingSince: null, disabledReason: null });
  const { accountId, id: webhookId } = webhook;
  const waiting = { accountId, webhookId, dueAt: { $ne: null } };
  const lanes = await em.find(WebhookLane, waiting, { fields: ['shard'], limit: 1000, disableIdentityMap: true });
  for (const shard of new Set(lanes.map((lane) => lane.shard)))
    await enqueuePump(em, { accountId, webhookId, shard }, systemNow);
}

/** Deletes an endpoint. Nothing is sent to it any more. Its attempts can still be read. Throws Missing. */
export async function deleteWebhook(em: EntityManager, key: WebhookKey, systemNow: Date): Promise<Webhook> {
  const webhook = await findWebhook(em, key);
  return Object.assign(webhook, { enabled: false, deletedAt: systemNow, updatedAt: systemNow });
}

/** An endpoint that is not deleted. Throws Missing. */
export async function findWebhook(em: EntityManager, { caller, id }: WebhookKey): Promise<Webhook> {
  const webhook = await em.findOne(Webhook, { accountId: caller.account.id, id, deletedAt: null });
  if (!webhook) throw new Missing('Webhook', id);
  return webhook;
}

/** Queues the delivery of an attempt again, due at once. Refuses a disabled endpoint and a test event. Throws Missing. */
export async function retryDelivery(em: EntityManager, key: WebhookKey, systemNow: Date): Promise<WebhookAttempt> {
  const accountId = key.caller.account.id;
  const attempt = await em.findOne(WebhookAttempt, { accountId, id: key.id });
  if (!attempt) throw new Missing('Webhook attempt', key.id);
  const { webhookId, deliveryId } = attempt;
  const webhook = await findWebhook(em, { caller: key.caller, id: webhookId });
  if (!webhook.enabled) throw new Refusal('state_conflict', 'Webhook is disabled: enable it first');
  if (!deliveryId) throw new Refusal('state_conflict', 'A test event cannot be sent again: send a new test');
  const delivery = await em.findOneOrFail(WebhookDelivery, { accountId, id: deliveryId });
  const { subjectType, subjectId } = delivery;
  const lane = { accountId, webhookId, subjectType, subjectId };
  await lockLane(em, lane);
  await em.refresh(delivery);
  Object.assign(delivery, { state: 'waiting', endedAt: null });
  await em.write();
  await scheduleLane(em, lane, { retryAt: null, now: systemNow });
  const { shard } = await em.findOneOrFail(WebhookLane, lane);
  await enqueuePump(em, { accountId, webhookId, shard }, systemNow);
  return attempt;
}

/** Enqueues a wake of the pump of one shard. */
export function enqueuePump(
  em: EntityManager,
  { accountId, webhookId: subjectId, shard }: { accountId: number; webhookId: number; shard: number },
  systemNow: Date,
): Promise<void> {
  return enqueueOnce(em, { accountId, topic: 'webhook', subjectId, shard }, systemNow);
}
