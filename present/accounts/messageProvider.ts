import { providerConfigurationName } from '../../billing/providerConfiguration.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { MessageProvider } from '../../db/schema/messageProvider.ts';
import { absolute } from '../kernel/origin.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** The URL to which a provider sends its events. */
export function textEventsUrl(of: Pick<MessageProvider, 'provider' | 'accountId' | 'id'>): string {
  return absolute(`/sms_events/${providerConfigurationName(of)}`);
}

/** A provider of texts, without its token. */
export function presentMessageProvider(provider: Plain<MessageProvider>): Presented {
  return {
    id: provider.id,
    object: 'message_provider',
    provider: provider.provider,
    name: provider.name,
    account_sid: provider.accountSid,
    sender: provider.sender,
    events_url: textEventsUrl(provider),
    created_at: unix(provider.createdAt),
    updated_at: unix(provider.updatedAt),
  };
}
