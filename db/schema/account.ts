import { defineEntity, p } from '@mikro-orm/core';
import type { TaxIdKind } from '../../billing/documents/taxId.ts';
import { type Environment, environments } from '../../billing/environments.ts';
import type { BankDetails } from '../../billing/payments/bankDetails.ts';
import type { GlMapping } from '../../billing/reports/glAccounts.ts';
import type { Settings } from '../../billing/settings.ts';
import type { PortalChanges } from '../../billing/subscriptions/selfService.ts';
import { accountPolicies } from '../tenant.ts';
import { oneOf, timestamps } from './columns.ts';

const AccountSchema = defineEntity({
  name: 'Account',
  comment: 'One business in one environment',
  policies: accountPolicies,
  properties: {
    id: p.integer().primary().autoincrement(),
    environment: p.string().length(7).$type<Environment>(),
    /** Id of the same business's account in the other environment. */
    twinId: p.integer().nullable(),
    name: p.string().length(255),
    email: p.string().length(255).nullable(),
    address1: p.string().length(255).nullable(),
    address2: p.string().length(255).nullable(),
    city: p.string().length(255).nullable(),
    state: p.string().length(255).nullable(),
    postalCode: p.string().length(255).nullable(),
    country: p.string().length(2).nullable(),
    taxId: p.string().length(255).nullable(),
    /** Null: recognized by form and country. */
    taxIdKind: p.string().length(16).$type<TaxIdKind>().nullable(),
    /** Null: the account's country. */
    taxIdCountry: p.string().length(2).nullable(),
    /** Address to which customers answer; null: `email`. */
    replyTo: p.string().length(255).nullable(),
    /** At most one account for each currency. */
    bankDetails: p.json().$type<BankDetails[]>().nullable(),
    /** Text with placeholders (`billing/payments/bankDetails.ts`); null: the number of the invoice. */
    paymentReference: p.string().length(255).nullable(),
    /** Text at the foot of each page of a document. */
    footer: p.text().nullable(),
    /** Note on documents on which no tax is charged because the seller is a small business. */
    smallBusinessNote: p.text().nullable(),
    /** Note on documents of customers that are not taxable. */
    exemptionNote: p.text().nullable(),
    /** #rrggbb; null: the default. */
    accentColor: p.string().length(7).nullable(),
    /** Id of the file from which the logo was taken, which may be deleted. The picture is in `logo`, by its hash. */
    logoFileId: p.integer().nullable(),
    logoHash: p.string().length(64).nullable(),
    language: p.string().length(2),
    currency: p.string().length(3),
    timeZone: p.string().length(64),
    apiVersion: p.string().length(10),
    /** Codes of general ledger accounts by ledger account. */
    glMapping: p.json().$type<GlMapping>().nullable(),
    /** Last day of the closed months; null: none is closed. */
    booksClosedThrough: p.date().nullable(),
    /** Start of the first open day, by the time zone of the account when it was closed. */
    booksOpenFrom: p.datetime().nullable(),
    /** Changes of subscriptions that customers make themselves; null: none. */
    portalChanges: p.json().$type<Partial<PortalChanges>>().nullable(),
    /** Settings that differ from their defaults, which are in `billing/settings.ts`. */
    settings: p.json().$type<Partial<Settings>>(),
    ...timestamps,
  },
  checks: [oneOf('account', 'environment', environments)],
});
export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);

/** Id of the live account of a business, to which its members and roles belong. */
export function liveIdOf({ environment, id, twinId }: Pick<Account, 'environment' | 'id' | 'twinId'>): number {
  return environment === 'live' ? id : (twinId ?? id);
}
