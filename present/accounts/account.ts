import { type MissingNumbers, numberText } from '../../billing/documents/numbering.ts';
import type { BankDetails } from '../../billing/payments/bankDetails.ts';
import { mappedAccounts } from '../../billing/reports/glAccounts.ts';
import { setting, settingNames } from '../../billing/settings.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Account } from '../../db/schema/account.ts';
import type { ApiKey } from '../../db/schema/apiKey.ts';
import type { GlAccount } from '../../db/schema/glAccount.ts';
import type { Numbering, PastPrefix, Series } from '../../db/schema/numbering.ts';
import type { OauthApplication, OauthGrant } from '../../db/schema/oauth.ts';
import { portalUrl } from '../kernel/links.ts';
import { type Json, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { presentPortalChanges } from './portalChanges.ts';

/** Prefix and next number of each series, keyed by the name of the series. */
function presentNumbering(series: readonly Pick<Numbering, 'series' | 'prefix' | 'next'>[]): Presented {
  return Object.fromEntries(series.map(({ series: name, prefix, next }) => [name, { prefix, next }]));
}

/** A number series under one prefix. */
export type AuditedSeries = Omit<PastPrefix, 'key'> & { series: Series };

/** An audited series, without its missing numbers. */
export function presentAudited({ series, prefix, first, next }: AuditedSeries): Presented {
  const isUsed = next > first;
  return {
    series,
    prefix,
    first: isUsed ? numberText(prefix, first) : null,
    last: isUsed ? numberText(prefix, next - 1) : null,
  };
}

/** Missing numbers of a series. */
export function presentMissing(
  { prefix }: AuditedSeries,
  { first, last, reason, documentId }: MissingNumbers,
): Presented {
  return {
    first: numberText(prefix, first),
    last: numberText(prefix, last),
    count: last - first + 1,
    reason,
    document: documentId,
  };
}

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
    portal_url: setting(account, 'portal_enabled') ? portalUrl(account.id) : null,
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
    gl_mapping: Object.fromEntries(mappedAccounts.map((name) => [name, account.glMapping?.[name] ?? null])),
    books_closed_through: orNull(account.booksClosedThrough),
    portal_changes: presentPortalChanges(account.portalChanges),
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

/** An account of the general ledger. */
export function presentGlAccount(glAccount: Plain<GlAccount>): Presented {
  return {
    id: glAccount.id,
    object: 'gl_account',
    code: glAccount.code,
    name: glAccount.name,
    type: orNull(glAccount.type),
    created_at: unix(glAccount.createdAt),
    updated_at: unix(glAccount.updatedAt),
  };
}

/** An API key without the key itself, which only the response to its creation shows. */
export function presentApiKey(apiKey: Plain<ApiKey>): Presented {
  return {
    id: apiKey.id,
    object: 'api_key',
    name: apiKey.name,
    last4: apiKey.last4,
    kind: apiKey.kind,
    scope: apiKey.scope,
    member: apiKey.member?.id ?? null,
    expires_at: unixOrNull(apiKey.expiresAt),
    last_used_at: unixOrNull(apiKey.lastUsedAt),
    revoked_at: unixOrNull(apiKey.revokedAt),
    created_at: unix(apiKey.createdAt),
  };
}

/** An OAuth application without its secret, which only the response that created the secret shows. */
export function presentOauthApplication(application: Plain<OauthApplication>): Presented {
  return {
    id: application.id,
    object: 'oauth_application',
    name: application.name,
    client_id: application.clientId,
    redirect_uris: application.redirectUris,
    confidential: application.confidential,
    created_at: unix(application.createdAt),
    updated_at: unix(application.updatedAt),
  };
}

/** The access that an application has to the account. */
export function presentOauthGrant(grant: Plain<OauthGrant>): Presented {
  return {
    id: grant.id,
    object: 'oauth_grant',
    client_id: grant.clientId,
    application_name: grant.applicationName,
    scope: grant.scope,
    granted_by: grant.grantedBy,
    last_used_at: unixOrNull(grant.lastUsedAt),
    created_at: unix(grant.createdAt),
  };
}
