import { defineEntity, p } from '@mikro-orm/core';
import { tenantKey, timestamps } from './columns.ts';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  comment: 'An endpoint of a client that events are delivered to',
  properties: {
    ...tenantKey,
    url: p.string().length(2048),
    /** Null: every type. */
    events: p.array().columnType('text[]').nullable(),
    enabled: p.boolean(),
    description: p.text().nullable(),
    apiVersion: p.string().length(10),
    sealedSecret: p.text(),
    /** Since when every delivery has failed; five days of it disable the endpoint. */
    failingSince: p.datetime().nullable(),
    disabledReason: p.string().length(255).nullable(),
    deletedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [{ name: 'webhook_enabled', properties: ['accountId', 'enabled'] }],
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
