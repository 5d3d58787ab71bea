import { defineEntity, p } from '@mikro-orm/core';
import { type MailProviderName, mailProviders } from '../../billing/mail/providers.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'deleted_at is null';

const MailProviderSchema = defineEntity({
  name: 'MailProvider',
  policies: tenantPolicies,
  comment: 'A sender of events about mails of an account, with the secret that authenticates them',
  properties: {
    ...tenantKey,
    provider: p.string().length(16).$type<MailProviderName>(),
    name: p.string().length(255),
    /** Encrypted; null: it was deleted. */
    sealedSecret: p.text().nullable(),
    deletedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    partialIndex('mail_provider', 'mail_provider_live', ['account_id, id', LIVE]),
    partialIndex('mail_provider', 'mail_provider_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('mail_provider', 'mail_provider_by_updated', ['account_id, updated_at, id', LIVE]),
  ],
  checks: [
    oneOf('mail_provider', 'provider', mailProviders),
    { name: 'mail_provider_sealed', expression: '(sealed_secret is null) = (deleted_at is not null)' },
  ],
});
export class MailProvider extends MailProviderSchema.class {}
MailProviderSchema.setClass(MailProvider);
