import type { Webhook } from '../../db/schema/webhook.ts';
import { mail } from './layout.ts';
import type { Sender } from './writing.ts';

export interface WebhookDisabledFacts {
  seller: Sender;
  webhook: Webhook;
}

/** Template webhook_disabled_email, sent to the account's email address. */
export const webhookDisabledEmail = mail(({ seller, webhook }: WebhookDisabledFacts) => {
  return {
    language: 'en',
    direction: 'ltr',
    subject: 'A webhook endpoint was disabled',
    seller: seller.name,
    heading: 'An endpoint no longer receives events.',
    figure: 'Disabled',
    tone: 'bad',
    paragraphs: [
      'Undelivered events are kept. Once the endpoint answers again, enable it, and they are delivered in order.',
    ],
    rows: [
      { label: 'Endpoint', value: webhook.url },
      { label: 'Reason', value: webhook.disabledReason ?? 'failed for days' },
    ],
    footer: `Sent by Perennial to ${seller.name}.`,
  };
});
