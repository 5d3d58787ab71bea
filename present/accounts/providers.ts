import { recordName, recordValue, stateOf } from '../../billing/mail/mailSender.ts';
import { providerConfigurationName } from '../../billing/mail/providers.ts';
import type { MethodTerms } from '../../billing/payments/offeredMethods.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { MailProvider } from '../../db/schema/mailProvider.ts';
import type { MailSender } from '../../db/schema/mailSender.ts';
import type { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import type { MessageProvider } from '../../db/schema/messageProvider.ts';
import { absolute } from '../kernel/links.ts';
import { numberOrNull, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

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

/** The sender of an account's mails, with the DNS record of its key, without the key itself. */
export function presentMailSender(sender: Plain<MailSender>): Presented {
  const { id, address, domain, selector, createdAt, updatedAt } = sender;
  return {
    id,
    object: 'mail_sender',
    address,
    domain,
    selector,
    dns_name: recordName(sender),
    dns_value: recordValue(sender),
    state: stateOf(sender),
    finding: orNull(sender.finding),
    checked_at: unixOrNull(sender.lookedAt),
    next_check_at: unix(sender.nextLookAt),
    created_at: unix(createdAt),
    updated_at: unix(updatedAt),
  };
}

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

/** A merchant account, without its secrets. */
export function presentMerchantAccount(merchant: Plain<MerchantAccount>): Presented {
  const { accountId, gateway, id } = merchant;
  return {
    id,
    object: 'merchant_account',
    gateway,
    name: merchant.name,
    gateway_account: merchant.gatewayAccount,
    publishable_key: orNull(merchant.publishableKey),
    currencies: merchant.currencies,
    receives_events: Boolean(merchant.sealedEventSecret),
    events_url: absolute(`/gateway_events/${gateway}_${accountId}_${id}`),
    created_at: unix(merchant.createdAt),
    updated_at: unix(merchant.updatedAt),
  };
}

export function presentPaymentMethod(terms: MethodTerms): Presented {
  const { method: id, enabled, order, min, max, currency, instructions, glAccount } = terms;
  return {
    id,
    object: 'payment_method',
    enabled,
    order,
    min: numberOrNull(min),
    max: numberOrNull(max),
    currency,
    instructions,
    gl_account: glAccount,
  };
}
