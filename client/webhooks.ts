import type { DeliveredEvent } from './schema.ts';

/** The API did not send the request, or it is too old. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

/** A received request: its headers, and the text of its body exactly as received, before any parsing. */
export interface ReceivedWebhook {
  body: string;
  headers: Headers | Record<string, string | string[] | undefined>;
}

export interface WebhookCheck {
  /** Signing secret of the endpoint, `whsec_…`. Several while one replaces another. */
  secret: string | readonly string[];
  /** Maximum difference between the request's time and now, in either direction. Default: 300. */
  toleranceSeconds?: number;
  /** Default: the current time. */
  now?: Date;
}

/**
 * Verifies that the API sent a webhook and returns its event. As Standard Webhooks require, one of the HMAC-SHA256 signatures must match one
 * of the secrets. Throws InvalidWebhook if none does, and TypeError for a malformed secret. The same event may arrive more than once: compare
 * `webhook-id`.
 */
export async function verifyWebhook(received: ReceivedWebhook, check: WebhookCheck): Promise<DeliveredEvent> {
  const id = headerOf(received, 'webhook-id');
  const timestamp = headerOf(received, 'webhook-timestamp');
  const sent = headerOf(received, 'webhook-signature');
  refuseOld(timestamp, check);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${received.body}`);
  const signatures = sent.split(' ').flatMap((part) => (part.startsWith('v1,') ? [bytesOf(part.slice(3))] : []));
  for (const secret of [check.secret].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(received.body);
    }
  }
  throw new InvalidWebhook('No signature of the webhook matches');
}

function headerOf({ headers }: ReceivedWebhook, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : ofRecord(headers, name);
  if (typeof value !== 'string' || value === '') throw new InvalidWebhook(`The header ${name} is missing`);
  return value;
}

/** Names of headers are the same in any case: https://www.rfc-editor.org/rfc/rfc9110#section-5.1. */
function ofRecord(headers: Exclude<ReceivedWebhook['headers'], Headers>, name: string) {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

function refuseOld(timestamp: string, { toleranceSeconds = 300, now = new Date() }: WebhookCheck): void {
  const age = now.getTime() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new InvalidWebhook('The webhook is too old, or the clock of this machine is wrong');
  }
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret must be whsec_ followed by base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Decodes base64. Null for any other text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
