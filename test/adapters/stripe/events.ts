import Stripe from 'stripe';
import type { GatewayMessage } from '../../../commands/ports/ports.ts';

/** An event as Stripe sends it, or any text, signed with a secret. */
export function signedEvent(
  event: object | string,
  by: { secret: string; configuration: string; sentAt?: Date },
): GatewayMessage {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const timestamp = Math.floor((by.sentAt ?? new Date()).getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: by.secret, timestamp });
  return { configuration: by.configuration, headers: { 'stripe-signature': header }, body };
}
