import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookSigner } from '../commands/ports.ts';

export interface WebhookToSign {
  /** The same at every try of one delivery, so that a receiver can recognise duplicates. */
  id: string;
  timestampSeconds: number;
  /** The exact text of the request's body. */
  body: string;
  /** `whsec_…`; during a rotation also the old one. */
  secrets: string[];
}

/** The three headers of Standard Webhooks, with one `v1` signature per secret. */
export function signWebhook({ id, timestampSeconds, body, secrets }: WebhookToSign) {
  if (secrets.length === 0) throw new Error('A webhook is signed with at least one secret');
  const timestamp = new Date(timestampSeconds * 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestampSeconds)),
    'webhook-signature': signatures.join(' '),
  };
}

/** A new signing secret: `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export const webhookSigner: WebhookSigner = { sign: signWebhook, newSecret: newWebhookSecret };
