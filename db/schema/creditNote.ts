import { defineEntity, p } from '@mikro-orm/core';
import { type CreditNoteStatus, creditNoteStatuses } from '../../billing/documents/creditNote.ts';
import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, eventCount, metadata, oneOf, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { DOCUMENT_KEYS, metadataIndex, partialIndex, searchIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';
import { Snapshot } from './snapshot.ts';

const LIVE = 'deleted_at is null';

const CreditNoteSchema = defineEntity({
  name: 'CreditNote',
  policies: policiesThrough('credit_note', 'customer'),
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** The invoice that it corrects. On issue it is applied to the invoice, and the rest goes to the credit balance. */
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('restrict'),
    /** A review of late fees issued it. It takes back fees of the invoice that are not owed. */
    lateFeeReview: p.boolean().default(false),
    /** The end of the early-payment discount of the invoice, which it grants; null: it grants none. */
    earlyDiscountUntil: p.datetime().nullable(),
    /** Why it may exceed what is left of its invoice; the excess becomes a credit adjustment. Null: it may not. */
    forceReason: p.text().nullable(),
    name: p.string().length(255),
    /** Null on a draft without a number, and until the end of the transaction that issues it. */
    number: p.string().length(255).nullable(),
    /** Comparison key: `numberKey` of the number. */
    numberKey: p.text().nullable(),
    currency: p.string().length(3),
    status: p.string().length(6).$type<CreditNoteStatus>(),
    date: p.datetime(),
    /** Null: it is a draft. */
    issuedAt: p.datetime().nullable(),
    /** From when it pays open invoices by itself; null: it is a draft, or from before it did, and pays at the time at which it is applied. */
    arrivedAt: p.datetime().nullable(),
    snapshot: () => p.manyToOne(Snapshot).joinColumns('account_id', 'snapshot_id').nullable().deleteRule('restrict'),
    timeZone: p.string().length(64),
    purchaseOrder: p.string().length(255).nullable(),
    notes: p.text().nullable(),
    discounts: p.json().$type<AppliedDiscount[]>().defaultRaw(`'[]'`),
    taxes: p.json().$type<AppliedTax[]>().defaultRaw(`'[]'`),
    subtotal: amount(),
    total: amount(),
    /** The part that is not applied yet. */
    balance: amount(),
    paid: p.boolean(),
    closed: p.boolean(),
    /** Time at which it was closed by hand, which forfeits its balance. */
    forfeitedAt: p.datetime().nullable(),
    voidedAt: p.datetime().nullable(),
    /** Deleted for clients; kept for the ledger. */
    deletedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    viewedAt: p.datetime().nullable(),
    token,
    metadata,
    eventCount,
    ...timestamps,
  },
  uniques: [{ name: 'credit_note_number', properties: ['accountId', 'numberKey'] }],
  indexes: [
    { name: 'credit_note_by_customer', properties: ['accountId', 'customer', 'id'] },
    partialIndex('credit_note', 'credit_note_by_status', ['account_id, status, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_date', ['account_id, date, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_updated', ['account_id, updated_at, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_paid', ['account_id, paid, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_closed', ['account_id, closed, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_invoice', ['account_id, invoice_id, id', 'invoice_id is not null']),
    partialIndex('credit_note', 'credit_note_open', ['account_id, customer_id, currency, date, id', "status = 'open'"]),
    {
      name: 'credit_note_early_discount',
      expression:
        'create unique index "credit_note_early_discount" on "credit_note" ("account_id", "invoice_id") where early_discount_until is not null and voided_at is null',
    },
    partialIndex('credit_note', 'credit_note_by_total', ['account_id, total, id', LIVE]),
    partialIndex('credit_note', 'credit_note_by_balance', ['account_id, balance, id', LIVE]),
    metadataIndex('credit_note'),
    searchIndex('credit_note', DOCUMENT_KEYS),
  ],
  checks: [
    { name: 'credit_note_number_key', expression: '(number is null) = (number_key is null)' },
    { name: 'credit_note_total', expression: 'total >= 0' },
    { name: 'credit_note_balance', expression: 'balance >= 0 and balance <= total' },
    { name: 'credit_note_paid', expression: 'not paid or balance = 0' },
    oneOf('credit_note', 'status', creditNoteStatuses),
  ],
});
export class CreditNote extends CreditNoteSchema.class {}
CreditNoteSchema.setClass(CreditNote);
