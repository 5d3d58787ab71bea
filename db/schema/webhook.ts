import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'deleted_at is null';

const WebhookSchema = defineEntity({
  name: 'Webhook',
  policies: tenantPolicies,
  comment: 'An endpoint of a client that events are delivered to',
  properties: {
    ...tenantKey,
    url: p.string().length(2048),
    /** Null: all types. */
    events: p.array().columnType('text[]').nullable(),
    enabled: p.boolean(),
    description: p.text().nullable(),
    apiVersion: p.string().length(10),
    sealedSecret: p.text(),
    /** The previous secret, which also signs for a day of real time. */
    sealedOldSecret: p.text().nullable(),
    oldSecretEndsAt: p.datetime().nullable(),
    /** Time since which every delivery has failed. After five days the endpoint is disabled. */
    failingSince: p.datetime().nullable(),
    disabledReason: p.string().length(255).nullable(),
    deletedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    {
      name: 'webhook_old_secret',
      expression:
        'create index "webhook_old_secret" on "webhook" ("old_secret_ends_at") where old_secret_ends_at is not null',
    },
    { name: 'webhook_enabled', properties: ['accountId', 'enabled', 'id'] },
    partialIndex('webhook', 'webhook_live', ['account_id, id', LIVE]),
    partialIndex('webhook', 'webhook_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('webhook', 'webhook_by_updated', ['account_id, updated_at, id', LIVE]),
  ],
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
