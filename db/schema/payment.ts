import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { Charge, type RefundCopy } from './charge.ts';
import { amount, eventCount, metadata, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { metadataIndex, partialIndex } from './indexes.ts';

const PaymentSchema = defineEntity({
  name: 'Payment',
  policies: policiesThrough('payment', 'customer'),
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').nullable().deleteRule('restrict'),
    charge: () => p.manyToOne(Charge).joinColumns('account_id', 'charge_id').nullable().deleteRule('restrict'),
    date: p.datetime(),
    currency: p.string().length(3),
    amount: amount(),
    balance: amount(),
    /** The part of the amount that credit pays; the rest is money. */
    credit: amount().default('0'),
    /** Refunded or lost money that the payment no longer has: it was unapplied, or credit that it added. */
    refundedOwn: amount().default('0'),
    /** Refunded or lost money that stays applied, which is an expense. */
    refundExpense: amount().default('0'),
    /** Copies of its refunds that no gateway sent, of a payment without a charge. */
    refunds: p.json().$type<RefundCopy[]>().defaultRaw("'[]'::jsonb"),
    method: p.string().length(13),
    achSenderId: p.string().length(255).nullable(),
    reference: p.string().length(255).nullable(),
    source: p.string().length(64),
    /** Number of its receipt. Null: no money has arrived, or it arrived before receipts had a series of their own. */
    receiptNumber: p.string().length(32).nullable(),
    /** Comparison key: `numberKey` of the number. */
    receiptNumberKey: p.text().nullable(),
    notes: p.text().nullable(),
    voided: p.boolean(),
    /** Whether an invoice of its amount, or one that its reference names, was open when it last changed. */
    matched: p.boolean().default(false),
    /** Nothing is suggested for it until it changes. */
    matchesRefused: p.boolean().default(false),
    /** Hash of the row of a bank statement from which it was imported. A second row with it is a duplicate. */
    statementKey: p.string().length(64).nullable(),
    metadata,
    token,
    eventCount,
    ...timestamps,
  },
  uniques: [{ name: 'payment_charge', properties: ['accountId', 'charge'] }],
  indexes: [
    { name: 'payment_by_customer', properties: ['accountId', 'customer', 'id'] },
    partialIndex('payment', 'payment_unapplied', ['account_id, customer_id, id', 'balance > 0 and not voided']),
    { name: 'payment_by_date', properties: ['accountId', 'date', 'id'] },
    { name: 'payment_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    { name: 'payment_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'payment_by_method', properties: ['accountId', 'method', 'id'] },
    { name: 'payment_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'payment_by_voided', properties: ['accountId', 'voided', 'id'] },
    { name: 'payment_by_matched', properties: ['accountId', 'matched', 'id'] },
    { name: 'payment_by_reference', properties: ['accountId', 'reference', 'id'] },
    { name: 'payment_by_source', properties: ['accountId', 'source', 'id'] },
    { name: 'payment_by_amount', properties: ['accountId', 'amount', 'id'] },
    { name: 'payment_by_balance', properties: ['accountId', 'balance', 'id'] },
    partialIndex('payment', 'payment_by_sender', [
      'account_id, ach_sender_id, customer_id',
      'ach_sender_id is not null and customer_id is not null and not voided',
    ]),
    {
      name: 'payment_statement_key',
      expression:
        'create unique index "payment_statement_key" on "payment" (account_id, statement_key) where statement_key is not null',
    },
    {
      name: 'payment_receipt_number_key',
      expression: 'create unique index "payment_receipt_number_key" on "payment" (account_id, receipt_number_key)',
    },
    metadataIndex('payment'),
  ],
  checks: [
    { name: 'payment_amount', expression: 'amount >= 0' },
    { name: 'payment_balance', expression: 'balance >= 0 and balance <= amount' },
    {
      name: 'payment_refunded',
      expression: 'refunded_own >= 0 and refund_expense >= 0 and balance + refunded_own <= amount',
    },
    { name: 'payment_credit', expression: 'credit >= 0 and credit <= amount' },
  ],
});
export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment);
