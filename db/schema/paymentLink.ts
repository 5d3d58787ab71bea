import { defineEntity, p } from '@mikro-orm/core';
import type { AskedField, TypedField } from '../../billing/signUps/paymentLink.ts';
import { policiesThrough, tenantPolicies } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { amount, eventCount, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { NAME_KEYS, partialIndex, searchIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const LIVE = 'deleted_at is null';

const PaymentLinkSchema = defineEntity({
  name: 'PaymentLink',
  policies: tenantPolicies,
  comment: 'A page on which anybody can pay an amount to the account',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    description: p.text().nullable(),
    enabled: p.boolean().default(true),
    currency: p.string().length(3),
    /** Null: the payer types it. */
    amount: amount().nullable(),
    minAmount: amount().nullable(),
    maxAmount: amount().nullable(),
    /** What payers are asked for besides name and email. */
    fields: p.json().$type<AskedField[]>(),
    /** Codes of the rates that tax the amount. */
    taxCodes: p.array().columnType('text[]').defaultRaw(`'{}'`),
    returnUrls: p.array().columnType('text[]').defaultRaw(`'{}'`),
    token,
    deletedAt: p.datetime().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    partialIndex('payment_link', 'payment_link_live', ['account_id, id', LIVE]),
    partialIndex('payment_link', 'payment_link_by_name', ['account_id, name, id', LIVE]),
    partialIndex('payment_link', 'payment_link_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('payment_link', 'payment_link_by_updated', ['account_id, updated_at, id', LIVE]),
    searchIndex('payment_link', NAME_KEYS),
  ],
  checks: [
    {
      name: 'payment_link_amount',
      expression:
        'amount > 0 and (amount is null or (min_amount is null and max_amount is null)) and min_amount > 0 and max_amount >= coalesce(min_amount, 0)',
    },
  ],
});
export class PaymentLink extends PaymentLinkSchema.class {}
PaymentLinkSchema.setClass(PaymentLink);

const LinkPaymentSchema = defineEntity({
  name: 'LinkPayment',
  policies: policiesThrough('link_payment', 'customer'),
  comment: 'A payment on the page of a payment link, with what the payer typed',
  properties: {
    ...tenantKey,
    link: () => p.manyToOne(PaymentLink).joinColumns('account_id', 'link_id').deleteRule('restrict'),
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('cascade'),
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('cascade'),
    fields: p.json().$type<TypedField[]>(),
    language: p.string().length(2),
    returnUrl: p.string().length(2048).nullable(),
    ip: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    /** Whether the page of its outcome leads nowhere, because its invoice got a new address. */
    isHidden: p.boolean().default(false),
    createdAt: p.datetime(),
  },
  uniques: [
    { name: 'link_payment_invoice', properties: ['accountId', 'invoice'] },
    { name: 'link_payment_attempt', properties: ['accountId', 'attempt'] },
  ],
  indexes: [
    { name: 'link_payment_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'link_payment_by_link', properties: ['accountId', 'link', 'createdAt'] },
  ],
});
export class LinkPayment extends LinkPaymentSchema.class {}
LinkPaymentSchema.setClass(LinkPayment);
