import { defineEntity, p } from '@mikro-orm/core';
import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import { type EstimateStatus, estimateStatuses } from '../../billing/documents/estimate.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, eventCount, metadata, oneOf, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { DOCUMENT_KEYS, metadataIndex, partialIndex, searchIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';
import { Snapshot } from './snapshot.ts';

/** Who approved or declined an estimate on its page, and from where. */
export interface EstimateAnswer {
  initials: string;
  ip: string;
  userAgent: string | null;
  /** Hash of the page's content. */
  contentHash: string;
  /** Why it was declined, in the customer's words; unset or null: no reason was given. */
  reason?: string | null;
}

const LIVE = 'deleted_at is null';

const EstimateSchema = defineEntity({
  name: 'Estimate',
  policies: policiesThrough('estimate', 'customer'),
  comment: 'An offer: nothing of it is owed, and only its deposit is in the books',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** The invoice created from it. */
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('restrict'),
    name: p.string().length(255),
    /** Null on a draft without a number, and until the end of the transaction that issues it. */
    number: p.string().length(255).nullable(),
    /** Comparison key: `numberKey` of the number. */
    numberKey: p.text().nullable(),
    currency: p.string().length(3),
    status: p.string().length(8).$type<EstimateStatus>(),
    date: p.datetime(),
    /** It expires at the end of this local day; null: never. */
    expiresAt: p.datetime().nullable(),
    /** Null: it is a draft. */
    issuedAt: p.datetime().nullable(),
    snapshot: () => p.manyToOne(Snapshot).joinColumns('account_id', 'snapshot_id').nullable().deleteRule('restrict'),
    timeZone: p.string().length(64),
    paymentTerms: p.string().length(64).nullable(),
    purchaseOrder: p.string().length(255).nullable(),
    notes: p.text().nullable(),
    shipTo: p.json().$type<ShipTo>().nullable(),
    /** Payment methods that the customer's pages do not offer for it, nor for its invoice. */
    disabledPaymentMethods: p.array().columnType('text[]').defaultRaw(`'{}'`),
    discounts: p.json().$type<AppliedDiscount[]>().defaultRaw(`'[]'`),
    taxes: p.json().$type<AppliedTax[]>().defaultRaw(`'[]'`),
    subtotal: amount(),
    total: amount(),
    /** The deposit asked in advance. */
    deposit: amount().default('0'),
    depositPaid: p.boolean().default(false),
    /** Somebody marked the deposit as paid; the ledger has no payment of it. */
    depositSaidPaid: p.boolean().default(false),
    /** The amount that payments put aside for its invoice, and the part of it that has not paid the invoice yet. */
    depositReceived: amount().default('0'),
    depositLeft: amount().default('0'),
    closed: p.boolean(),
    approvedAt: p.datetime().nullable(),
    declinedAt: p.datetime().nullable(),
    /** Who approved or declined it on its page. */
    answer: p.json().$type<EstimateAnswer>().nullable(),
    expiredAt: p.datetime().nullable(),
    voidedAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    viewedAt: p.datetime().nullable(),
    token,
    metadata,
    eventCount,
    ...timestamps,
  },
  uniques: [
    { name: 'estimate_number', properties: ['accountId', 'numberKey'] },
    { name: 'estimate_invoice', properties: ['accountId', 'invoice'] },
  ],
  indexes: [
    { name: 'estimate_by_customer', properties: ['accountId', 'customer', 'id'] },
    partialIndex('estimate', 'estimate_by_status', ['account_id, status, id', LIVE]),
    partialIndex('estimate', 'estimate_by_date', ['account_id, date, id', LIVE]),
    partialIndex('estimate', 'estimate_by_expiration', ['account_id, expires_at, id', LIVE]),
    partialIndex('estimate', 'estimate_by_updated', ['account_id, updated_at, id', LIVE]),
    partialIndex('estimate', 'estimate_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('estimate', 'estimate_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('estimate', 'estimate_by_closed', ['account_id, closed, id', LIVE]),
    partialIndex('estimate', 'estimate_by_deposit_paid', ['account_id, deposit_paid, id', LIVE]),
    partialIndex('estimate', 'estimate_by_total', ['account_id, total, id', LIVE]),
    metadataIndex('estimate'),
    searchIndex('estimate', DOCUMENT_KEYS),
  ],
  checks: [
    { name: 'estimate_number_key', expression: '(number is null) = (number_key is null)' },
    { name: 'estimate_total', expression: 'total >= 0' },
    { name: 'estimate_deposit', expression: 'deposit >= 0 and deposit <= total' },
    { name: 'estimate_deposit_left', expression: 'deposit_left >= 0 and deposit_left <= deposit_received' },
    oneOf('estimate', 'status', estimateStatuses),
  ],
});
export class Estimate extends EstimateSchema.class {}
EstimateSchema.setClass(Estimate);
