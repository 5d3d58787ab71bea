import type { WebhookRequest, WebhookSigner } from '../commands/ports.ts';
import type { Head } from '../db/queries/deliveries.ts';
import type { Webhook } from '../db/schema/webhook.ts';
import { presentDelivery } from '../present/delivery.ts';
import { presentAs } from '../present/versions/versions.ts';

export interface Sending {
  webhook: Webhook;
  signer: WebhookSigner;
  secrets: string[];
  /** Real time: the receiver checks the signature's age. */
  now: Date;
  /** Milliseconds. */
  timeout: number;
}

/** The signed request of one delivery. Its id is the event's, the same in every attempt. */
export function webhookRequest(head: Head, sending: Sending): WebhookRequest {
  const { webhook, signer, secrets, now, timeout } = sending;
  const body = JSON.stringify(presentAs(webhook.apiVersion, presentDelivery(head)));
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Perennial',
      'api-version': webhook.apiVersion,
      ...signer.sign({ id: `evt_${head.eventId}`, timestampSeconds, body, secrets }),
    },
    body,
    timeoutMilliseconds: timeout,
  };
}
