import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';
import { Member } from './member.ts';

const LIVE = 'revoked_at is null';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    /** Member of the live account who made it, and whose rights bound it; null: a key of the account itself. */
    member: () => p.manyToOne(Member).joinColumns('member_account_id', 'member_id').nullable().deleteRule('cascade'),
    name: p.string().length(255),
    /** SHA-256 of the key, hexadecimal. The key itself is shown once and not stored. */
    hash: p.string().length(64),
    last4: p.string().length(4),
    /** A publishable key may appear in a web page; it opens only the paths meant for it. */
    kind: p.string().length(11).$type<'secret' | 'publishable'>().default('secret'),
    scope: p.string().length(10).$type<'read' | 'read_write'>(),
    expiresAt: p.datetime().nullable(),
    /** Precise to the minute. */
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'api_key_member', properties: ['member'] },
    partialIndex('api_key', 'api_key_live', ['account_id, id', LIVE]),
    partialIndex('api_key', 'api_key_by_name', ['account_id, name, id', LIVE]),
    partialIndex('api_key', 'api_key_by_created', ['account_id, created_at, id', LIVE]),
  ],
  uniques: [{ name: 'api_key_hash', properties: ['hash'] }],
  checks: [{ name: 'api_key_kind', expression: "kind in ('secret', 'publishable')" }],
});
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
