import { providerConfigurationName } from '../../billing/providerConfiguration.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { MailProvider } from '../../db/schema/mailProvider.ts';
import { absolute } from '../kernel/origin.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** A provider of events about mail, without its secret. */
export function presentMailProvider(provider: Plain<MailProvider>): Presented {
  return {
    id: provider.id,
    object: 'mail_provider',
    provider: provider.provider,
    name: provider.name,
    events_url: absolute(`/mail_events/${providerConfigurationName(provider)}`),
    created_at: unix(provider.createdAt),
    updated_at: unix(provider.updatedAt),
  };
}
