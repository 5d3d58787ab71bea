import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookSigner } from '../commands/ports/ports.ts';

export interface WebhookToSign {
  /** Id of the message, the same at every attempt to deliver it, so that receivers can recognise duplicates. */
  id: string;
  timestampSeconds: number;
  /** The exact text of the request's body. */
  body: string;
  /** Signing secrets `whsec_…`. During a rotation: the new one and the old one. */
  secrets: string[];
}

/** The three headers of Standard Webhooks, with one `v1` signature for each secret. Throws without a secret. */
export function signWebhook({ id, timestampSeconds, body, secrets }: WebhookToSign) {
  if (secrets.length === 0) throw new Error('A webhook needs at least one signing secret');
  const timestamp = new Date(timestampSeconds * 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestampSeconds)),
    'webhook-signature': signatures.join(' '),
  };
}

/** A new random signing secret: `whsec_` and 32 bytes as base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export const webhookSigner: WebhookSigner = { sign: signWebhook, newSecret: newWebhookSecret };
