import type { Head } from '../../db/queries/webhooks/deliveries.ts';
import type { Webhook } from '../../db/schema/webhook.ts';
import { presentAs } from '../../present/versions/versions.ts';
import { type Delivered, presentDelivery } from '../../present/webhooks/webhook.ts';
import type { WebhookRequest, WebhookSigner } from '../ports/ports.ts';

export interface Sending {
  webhook: Webhook;
  signer: WebhookSigner;
  secrets: string[];
  /** Real time: the receiver checks the signature's age. */
  now: Date;
  /** Time limit, milliseconds. */
  timeout: number;
  /** The id by which receivers detect duplicates, the same in each attempt. Absent: the event's id. */
  messageId?: string;
}

/** The signed request of one delivery. */
export function webhookRequest(head: Delivered & Pick<Head, 'traceparent'>, sending: Sending): WebhookRequest {
  const { webhook, signer, secrets, now, timeout } = sending;
  const body = JSON.stringify(presentAs(webhook.apiVersion, presentDelivery(head)));
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Perennial',
      'api-version': webhook.apiVersion,
      ...causeOf(head),
      ...signer.sign({ id: sending.messageId ?? `evt_${head.eventId}`, timestampSeconds, body, secrets }),
    },
    body,
    timeoutMilliseconds: timeout,
  };
}

/** Headers that name the request that caused the event, and its trace. */
function causeOf({ requestId, traceparent }: Pick<Head, 'requestId' | 'traceparent'>): Record<string, string> {
  return { ...(requestId ? { 'x-request-id': requestId } : {}), ...(traceparent ? { traceparent } : {}) };
}
