import { defineEntity, p } from '@mikro-orm/core';
import { tenantKey } from './columns.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    /** SHA-256 of the key, hexadecimal: the key itself is shown once and kept nowhere. */
    hash: p.string().length(64),
    last4: p.string().length(4),
    scope: p.string().length(10).$type<'read' | 'read_write'>(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'api_key_hash', properties: ['hash'] }],
});
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
