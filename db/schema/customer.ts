import { defineEntity, p } from '@mikro-orm/core';
import type { InvoiceMailing } from '../../billing/documents/invoice.ts';
import { type PaymentSourceType, sourceTypes } from '../../billing/payments/paymentMethods.ts';
import type { Plain } from '../queries/kernel/plain.ts';
import { ownerPolicies, policiesThrough } from '../tenant.ts';
import { ChasingCadence } from './chasingCadence.ts';
import { amount, eventCount, metadata, oneOf, taxRateIds, tenantKey, timestamps, token } from './columns.ts';
import { CUSTOMER_KEYS, metadataIndex, partialIndex, phoneIndex, searchIndex } from './indexes.ts';
import { MerchantAccount } from './merchantAccount.ts';
import { SignUpPage } from './signUpPage.ts';
import type { TaxRate } from './taxRate.ts';
import { TestClock } from './testClock.ts';
import { Theme } from './theme.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  policies: ownerPolicies,
  properties: {
    ...tenantKey,
    testClock: () =>
      p.manyToOne(TestClock).joinColumns('account_id', 'test_clock_id').nullable().deleteRule('restrict'),
    defaultSource: () =>
      p.manyToOne(PaymentSource).joinColumns('account_id', 'default_source_id').nullable().deleteRule('restrict'),
    name: p.string().length(255),
    number: p.string().length(255),
    /** Comparison key: `numberKey` of the number. */
    numberKey: p.text(),
    email: p.string().length(255).nullable(),
    autopay: p.boolean(),
    /** Days; -1: the account's setting. */
    autopayDelayDays: p.integer(),
    /** AutoPay may charge another of its payment sources once after a hard decline. */
    autopayFallback: p.boolean().default(false),
    paymentTerms: p.string().length(64).nullable(),
    attentionTo: p.string().length(255).nullable(),
    address1: p.string().length(255).nullable(),
    address2: p.string().length(255).nullable(),
    city: p.string().length(255).nullable(),
    state: p.string().length(255).nullable(),
    postalCode: p.string().length(255).nullable(),
    country: p.string().length(2).nullable(),
    language: p.string().length(2).nullable(),
    currency: p.string().length(3).nullable(),
    phone: p.string().length(255).nullable(),
    taxId: p.string().length(255).nullable(),
    type: p.string().length(7).$type<'company' | 'person'>(),
    notes: p.text().nullable(),
    /** False: it has no credit in any currency. True: it may have credit, so issuing an invoice looks for it. */
    hasCredit: p.boolean().default(false),
    /** False: it has no pending lines, so the next invoice does not look for them. True: it may have some. */
    hasPendingLines: p.boolean().default(false),
    /** False: requests cannot bill it any more; running subscriptions continue. */
    active: p.boolean().default(true),
    /** Requests cannot issue documents to it, and its renewals wait. */
    creditHold: p.boolean().default(false),
    /** Since when, by which member, and why it is on hold. Null: it is not, or nobody said so. */
    heldAt: p.datetime().nullable(),
    heldById: p.integer().nullable(),
    holdReason: p.string().length(255).nullable(),
    /** Maximum amount that it may owe in its currency; null: no limit. */
    creditLimit: amount().nullable(),
    /** Id of the member who is responsible for it. */
    ownerId: p.integer().nullable(),
    taxable: p.boolean().default(true),
    /** Ids of the rates that tax its documents, in order. */
    taxRateIds: taxRateIds.defaultRaw(`'{}'`),
    taxengineEntityUseCode: p.string().length(255).nullable(),
    taxengineExemptionNumber: p.string().length(255).nullable(),
    parent: () => p.manyToOne(Customer).joinColumns('account_id', 'parent_id').nullable().deleteRule('restrict'),
    /** Its documents are addressed to its parent. */
    billToParent: p.boolean().default(false),
    consolidated: p.boolean().default(false),
    /** The customer that got all its data in a merge. Afterwards nothing changes this row. */
    mergedInto: () =>
      p.manyToOne(Customer).joinColumns('account_id', 'merged_into_id').nullable().deleteRule('restrict'),
    /** Time at which its personal data was erased. Afterwards nothing changes this row. */
    anonymizedAt: p.datetime().nullable(),
    /** Payment methods that its pages do not offer and AutoPay does not use. */
    disabledPaymentMethods: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /** Merchant account that stores and charges its new cards, and its new bank accounts; null: the account's. */
    cardMerchantAccount: () =>
      p
        .manyToOne(MerchantAccount)
        .joinColumns('account_id', 'card_merchant_account_id')
        .nullable()
        .deleteRule('restrict'),
    bankMerchantAccount: () =>
      p
        .manyToOne(MerchantAccount)
        .joinColumns('account_id', 'bank_merchant_account_id')
        .nullable()
        .deleteRule('restrict'),
    /** Whether it is asked for what it owes. */
    chase: p.boolean().default(true),
    /** The cadence that it names; null: the one that conditions or the default assign. */
    chasingCadence: () =>
      p.manyToOne(ChasingCadence).joinColumns('account_id', 'chasing_cadence_id').nullable().deleteRule('restrict'),
    /** Look of its papers, pages and mails; null: the default theme of the account. */
    theme: () => p.manyToOne(Theme).joinColumns('account_id', 'theme_id').nullable().deleteRule('restrict'),
    /** The sign-up page on which it can subscribe; null: none. */
    signUpPage: () =>
      p.manyToOne(SignUpPage).joinColumns('account_id', 'sign_up_page_id').nullable().deleteRule('restrict'),
    /** Codes of the PDF templates for its papers, at most one for each kind. Other kinds have the account's templates. */
    pdfTemplates: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /** Id of the step of its cadence that comes next; null: none is planned. */
    nextChaseStepId: p.integer().nullable(),
    /** Day of the month on which it gets its statement: `1` to `28`, `last` or `off`. Null: that of the account. */
    statementDay: p.string().length(4).nullable(),
    /** Invoices that are mailed to it when they are issued; null: by the setting of the account. */
    emailNewInvoices: p.string().length(13).$type<InvoiceMailing>().nullable(),
    /** Secret last part of the URL of its pages. Null: it is older than they are, and gets one when a link to them is written. */
    token: token.nullable(),
    metadata,
    eventCount,
    ...timestamps,
  },
  uniques: [{ name: 'customer_number', properties: ['accountId', 'numberKey'] }],
  indexes: [
    partialIndex('customer', 'customer_by_clock', ['account_id, test_clock_id, id', 'test_clock_id is not null']),
    { name: 'customer_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'customer_by_email', properties: ['accountId', 'email', 'id'] },
    { name: 'customer_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    { name: 'customer_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'customer_by_autopay', properties: ['accountId', 'autopay', 'id'] },
    { name: 'customer_by_type', properties: ['accountId', 'type', 'id'] },
    { name: 'customer_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'customer_by_country', properties: ['accountId', 'country', 'id'] },
    { name: 'customer_by_active', properties: ['accountId', 'active', 'id'] },
    { name: 'customer_by_credit_hold', properties: ['accountId', 'creditHold', 'id'] },
    { name: 'customer_by_chase', properties: ['accountId', 'chase', 'id'] },
    partialIndex('customer', 'customer_by_owner', ['account_id, owner_id, id', 'owner_id is not null']),
    partialIndex('customer', 'customer_by_parent', ['account_id, parent_id, id', 'parent_id is not null']),
    partialIndex('customer', 'customer_by_lower_name', [
      'account_id, lower(name)',
      'anonymized_at is null and merged_into_id is null',
    ]),
    partialIndex('customer', 'customer_by_lower_email', ['account_id, lower(email)', 'email is not null']),
    partialIndex('customer', 'customer_by_card_merchant', [
      'account_id, card_merchant_account_id, id',
      'card_merchant_account_id is not null',
    ]),
    partialIndex('customer', 'customer_by_bank_merchant', [
      'account_id, bank_merchant_account_id, id',
      'bank_merchant_account_id is not null',
    ]),
    partialIndex('customer', 'customer_by_cadence', [
      'account_id, chasing_cadence_id, id',
      'chasing_cadence_id is not null',
    ]),
    partialIndex('customer', 'customer_by_theme', ['account_id, theme_id, id', 'theme_id is not null']),
    partialIndex('customer', 'customer_by_sign_up_page', [
      'account_id, sign_up_page_id, id',
      'sign_up_page_id is not null',
    ]),
    partialIndex('customer', 'customer_by_pdf_template', ['account_id, id', "pdf_templates <> '{}'"]),
    partialIndex('customer', 'customer_by_merged_into', ['account_id, merged_into_id', 'merged_into_id is not null']),
    metadataIndex('customer'),
    phoneIndex('customer'),
    searchIndex('customer', CUSTOMER_KEYS),
  ],
  checks: [
    { name: 'customer_type', expression: "type in ('company', 'person')" },
    { name: 'customer_autopay_delay', expression: 'autopay_delay_days >= -1' },
    { name: 'customer_credit_limit', expression: 'credit_limit >= 0' },
    { name: 'customer_parent', expression: 'parent_id <> id' },
    { name: 'customer_merged', expression: 'merged_into_id is null or not active' },
  ],
});
export class Customer extends CustomerSchema.class {
  /** The tax rates of `taxRateIds`; set when the customer was locked or read for presenting. */
  taxRates?: readonly Plain<TaxRate>[];
  /** The theme of its mails, or the default one; null: there is neither. Set when the customer was locked. */
  shownTheme?: Plain<Theme> | null;
}
CustomerSchema.setClass(Customer);

/** In this file, because customers and payment sources refer to each other. */
const PaymentSourceSchema = defineEntity({
  name: 'PaymentSource',
  policies: policiesThrough('payment_source', 'customer'),
  comment: 'A card or bank account stored at a gateway; its number is never stored here',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    type: p.string().length(12).$type<PaymentSourceType>(),
    gateway: p.string().length(32),
    gatewayId: p.string().length(255),
    gatewayCustomer: p.string().length(255).nullable(),
    last4: p.string().length(4),
    brand: p.string().length(32).nullable(),
    expMonth: p.integer().nullable(),
    expYear: p.integer().nullable(),
    funding: p.string().length(7).nullable(),
    bankName: p.string().length(255).nullable(),
    routingNumber: p.string().length(32).nullable(),
    verified: p.boolean().nullable(),
    currency: p.string().length(3).nullable(),
    /** Reason why it can no longer be charged: a hard decline or a deletion. Null: it can be charged. */
    failureReason: p.string().length(255).nullable(),
    chargeable: p.boolean(),
    deletedAt: p.datetime().nullable(),
    /** Last month of the card that its customer was told of, as `2027-03`; null: none was. */
    expiryNoticedFor: p.string().length(7).nullable(),
    eventCount,
    ...timestamps,
  },
  uniques: [{ name: 'payment_source_gateway_id', properties: ['accountId', 'gateway', 'gatewayId'] }],
  indexes: [{ name: 'payment_source_by_customer', properties: ['accountId', 'customer'] }],
  checks: [oneOf('payment_source', 'type', sourceTypes)],
});
export class PaymentSource extends PaymentSourceSchema.class {}
PaymentSourceSchema.setClass(PaymentSource);
