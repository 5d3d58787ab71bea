import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { amount, eventCount, metadata, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { metadataIndex, partialIndex } from './indexes.ts';
import { LineItem } from './lineItem.ts';
import { Subscription } from './subscription.ts';

export type InvoiceStatus = 'draft' | 'not_sent' | 'sent' | 'viewed' | 'past_due' | 'pending' | 'paid' | 'voided';

const InvoiceSchema = defineEntity({
  name: 'Invoice',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    subscription: () =>
      p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').nullable().deleteRule('restrict'),
    /** Which period of the subscription it bills; the database refuses a second invoice for it. */
    segment: p.integer().nullable(),
    period: p.integer().nullable(),
    name: p.string().length(255),
    /** Null only until the end of the transaction that issues it. */
    number: p.string().length(255).nullable(),
    currency: p.string().length(3),
    status: p.string().length(8).$type<InvoiceStatus>(),
    autopay: p.boolean(),
    attemptCount: p.integer().default(0),
    nextPaymentAttemptAt: p.datetime().nullable(),
    /** Failed in a way that only a new source mends, or out of retries: collected by hand from here. */
    autopayStopped: p.boolean().default(false),
    date: p.datetime(),
    issuedAt: p.datetime(),
    dueAt: p.datetime().nullable(),
    timeZone: p.string().length(64),
    paymentTerms: p.string().length(64).nullable(),
    purchaseOrder: p.string().length(255).nullable(),
    notes: p.text().nullable(),
    subtotal: amount(),
    total: amount(),
    balance: amount(),
    paid: p.boolean(),
    closed: p.boolean(),
    voidedAt: p.datetime().nullable(),
    pastDue: p.boolean().default(false),
    /** A payment of it is on its way. */
    pending: p.boolean().default(false),
    lines: () => p.oneToMany(LineItem).mappedBy('invoice').orderBy({ position: 'asc' }),
    metadata,
    token,
    eventCount,
    ...timestamps,
  },
  uniques: [
    { name: 'invoice_number', properties: ['accountId', 'number'] },
    { name: 'invoice_period', properties: ['accountId', 'subscription', 'segment', 'period'] },
  ],
  indexes: [
    { name: 'invoice_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'invoice_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'invoice_by_date', properties: ['accountId', 'date', 'id'] },
    { name: 'invoice_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    { name: 'invoice_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'invoice_by_due', properties: ['accountId', 'dueAt', 'id'] },
    { name: 'invoice_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'invoice_by_autopay', properties: ['accountId', 'autopay', 'id'] },
    { name: 'invoice_by_paid', properties: ['accountId', 'paid', 'id'] },
    { name: 'invoice_by_closed', properties: ['accountId', 'closed', 'id'] },
    partialIndex('invoice', 'invoice_open', ['account_id, customer_id, id', 'not closed']),
    metadataIndex('invoice'),
  ],
  checks: [
    { name: 'invoice_total', expression: 'total >= 0' },
    { name: 'invoice_balance', expression: 'balance >= 0 and balance <= total' },
    { name: 'invoice_paid', expression: 'not paid or balance = 0' },
    {
      name: 'invoice_status',
      expression: "status in ('draft', 'not_sent', 'sent', 'viewed', 'past_due', 'pending', 'paid', 'voided')",
    },
  ],
});
export class Invoice extends InvoiceSchema.class {}
InvoiceSchema.setClass(Invoice);
