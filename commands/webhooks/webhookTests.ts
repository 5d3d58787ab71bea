import { randomUUID } from 'node:crypto';
import type { EntityManager } from '../../db/orm.ts';
import { WebhookAttempt } from '../../db/schema/webhookDelivery.ts';
import { currentCause } from '../../db/tracing.ts';
import { presentWebhook } from '../../present/webhooks/webhook.ts';
import type { Cipher, WebhookAnswer, WebhookSender, WebhookSigner } from '../ports/ports.ts';
import { webhookRequest } from './request.ts';
import { secretsOf } from './secrets.ts';
import { findWebhook, type WebhookKey } from './webhooks.ts';

export interface TestPorts {
  cipher: Cipher;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** Milliseconds. */
  webhookTimeout: number;
}

/** Sends a test event to an endpoint, even a disabled one. Runs outside any transaction. Throws Missing. */
export async function sendTest(
  em: EntityManager,
  { caller, id, ports }: WebhookKey & { ports: TestPorts },
  systemNow: Date,
): Promise<WebhookAnswer> {
  const webhook = await findWebhook(em, { caller, id });
  const event = { eventId: 0, type: 'webhook.test', object: presentWebhook(webhook), previous: null };
  const member = caller.userId > 0 && caller.member ? { email: caller.member.email, name: null } : null;
  const place = { userId: caller.userId, member, occurredAt: systemNow, sequence: 1, previousSequence: null };
  const request = webhookRequest(
    { ...event, ...place, ...currentCause() },
    {
      webhook,
      signer: ports.webhookSigner,
      secrets: secretsOf(webhook, ports.cipher, systemNow),
      now: systemNow,
      timeout: ports.webhookTimeout,
      messageId: `test_${randomUUID()}`,
    },
  );
  return ports.webhookSender.send(request);
}

/** Records the answer to a test event. Neither affects the endpoint's health nor plans a retry. Throws Missing. */
export async function recordTest(
  em: EntityManager,
  { caller, id, answer: received }: WebhookKey & { answer: WebhookAnswer },
  systemNow: Date,
): Promise<WebhookAttempt> {
  await findWebhook(em, { caller, id });
  const { statusCode, error, answer, latencyMilliseconds } = received;
  return em.create(WebhookAttempt, {
    accountId: caller.account.id,
    webhookId: id,
    deliveryId: null,
    eventId: null,
    attempt: 1,
    statusCode,
    answer,
    error: error?.slice(0, 255) ?? null,
    latencyMilliseconds: Math.round(latencyMilliseconds),
    nextAttemptAt: null,
    createdAt: systemNow,
  });
}
