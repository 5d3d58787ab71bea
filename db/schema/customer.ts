import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { eventCount, metadata, tenantKey, timestamps } from './columns.ts';
import { metadataIndex, partialIndex } from './indexes.ts';
import { PaymentSource } from './paymentSource.ts';
import { TestClock } from './testClock.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    testClock: () =>
      p.manyToOne(TestClock).joinColumns('account_id', 'test_clock_id').nullable().deleteRule('restrict'),
    defaultSource: () =>
      p.manyToOne(PaymentSource).joinColumns('account_id', 'default_source_id').nullable().deleteRule('restrict'),
    name: p.string().length(255),
    number: p.string().length(255),
    email: p.string().length(255).nullable(),
    autopay: p.boolean(),
    /** -1: the account's setting. */
    autopayDelayDays: p.integer(),
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
    /** False: there is no credit of it in any currency. True: there may be, so that an issue looks. */
    hasCredit: p.boolean().default(false),
    metadata,
    eventCount,
    ...timestamps,
  },
  uniques: [{ name: 'customer_number', properties: ['accountId', 'number'] }],
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
    metadataIndex('customer'),
  ],
  checks: [
    { name: 'customer_type', expression: "type in ('company', 'person')" },
    { name: 'customer_autopay_delay', expression: 'autopay_delay_days >= -1' },
  ],
});
export class Customer extends CustomerSchema.class {}
CustomerSchema.setClass(Customer);
