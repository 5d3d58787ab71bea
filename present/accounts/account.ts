import type { BankDetails } from '../../billing/bankDetails.ts';
import { setting, settingNames } from '../../billing/settings.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Numbering } from '../../db/schema/numbering.ts';
import { type Json, orNull, type Presented, unix } from '../kernel/values.ts';
import { presentNumbering } from './numbering.ts';

/** An account with its settings and its number series. */
export function presentAccount({
  account,
  series,
}: {
  account: Account;
  series: readonly Pick<Numbering, 'series' | 'prefix' | 'next'>[];
}): Presented {
  const settings: { [key: string]: Json } = {};
  for (const name of settingNames) settings[name] = setting(account, name);
  return {
    id: account.id,
    object: 'account',
    environment: account.environment,
    name: account.name,
    email: orNull(account.email),
    address1: orNull(account.address1),
    address2: orNull(account.address2),
    city: orNull(account.city),
    state: orNull(account.state),
    postal_code: orNull(account.postalCode),
    country: orNull(account.country),
    tax_id: orNull(account.taxId),
    tax_id_kind: orNull(account.taxIdKind),
    tax_id_country: orNull(account.taxIdCountry),
    reply_to: orNull(account.replyTo),
    bank_details: (account.bankDetails ?? []).map(presentBankDetails),
    payment_reference: orNull(account.paymentReference),
    footer: orNull(account.footer),
    small_business_note: orNull(account.smallBusinessNote),
    exemption_note: orNull(account.exemptionNote),
    logo: orNull(account.logoFileId),
    accent_color: orNull(account.accentColor),
    language: account.language,
    currency: account.currency,
    time_zone: account.timeZone,
    api_version: account.apiVersion,
    ...settings,
    numbering: presentNumbering(series),
    created_at: unix(account.createdAt),
    updated_at: unix(account.updatedAt),
  };
}

function presentBankDetails(details: BankDetails): Presented {
  return {
    currency: details.currency,
    account_holder: details.accountHolder,
    bank_name: details.bankName,
    iban: details.iban,
    bic: details.bic,
    account_number: details.accountNumber,
    routing_number: details.routingNumber,
  };
}
