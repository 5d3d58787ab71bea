import { defineEntity, p } from '@mikro-orm/core';
import { type MessageProviderName, messageProviders } from '../../billing/mail/providers.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'deleted_at is null';

const MessageProviderSchema = defineEntity({
  name: 'MessageProvider',
  policies: tenantPolicies,
  comment: 'An account at a provider that sends text messages, with the credentials that open it',
  properties: {
    ...tenantKey,
    provider: p.string().length(16).$type<MessageProviderName>(),
    name: p.string().length(255),
    /** The provider's id of it. */
    accountSid: p.string().length(34),
    /** The number in E.164, or the id of the messaging service, that texts come from. */
    sender: p.string().length(34),
    /** Encrypted; null: it was deleted. It also signs the provider's events. */
    sealedAuthToken: p.text().nullable(),
    deletedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    partialIndex('message_provider', 'message_provider_live', ['account_id, id', LIVE]),
    partialIndex('message_provider', 'message_provider_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('message_provider', 'message_provider_by_updated', ['account_id, updated_at, id', LIVE]),
    {
      name: 'message_provider_once',
      expression: `create unique index "message_provider_once" on "message_provider" ("account_id") where ${LIVE}`,
    },
  ],
  checks: [
    oneOf('message_provider', 'provider', messageProviders),
    { name: 'message_provider_sealed', expression: '(sealed_auth_token is null) = (deleted_at is not null)' },
  ],
});
export class MessageProvider extends MessageProviderSchema.class {}
MessageProviderSchema.setClass(MessageProvider);
