import { defineEntity, p } from '@mikro-orm/core';
import { closedPolicies, tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';

/** The number series of an account with the prefixes that they have at first. */
export const firstPrefixes = [
  ['invoice', 'INV-'],
  ['credit_note', 'CN-'],
  ['estimate', 'EST-'],
  ['customer', 'CUST-'],
  ['receipt', 'REC-'],
] as const;

/** `receipt` numbers payments, each other series the rows of the table of that name. */
export type Series = (typeof firstPrefixes)[number][0];

/** SQL: the rows that a series numbers, and the column with the keys of their numbers. */
export const numberedRows: Readonly<Record<Series, { table: string; key: string }>> = {
  invoice: { table: 'invoice', key: 'number_key' },
  credit_note: { table: 'credit_note', key: 'number_key' },
  estimate: { table: 'estimate', key: 'number_key' },
  customer: { table: 'customer', key: 'number_key' },
  receipt: { table: 'payment', key: 'receipt_number_key' },
};

/** A former prefix of a series, and the numbers where it began and stopped. */
export interface PastPrefix {
  prefix: string;
  /** `prefixKey` of the prefix. */
  key: string;
  first: number;
  next: number;
}

const NumberingSchema = defineEntity({
  name: 'Numbering',
  policies: tenantPolicies,
  comment: 'Number series of an account; `next` is taken, last of all, in the transaction that uses it',
  properties: {
    accountId: p.integer().primary(),
    series: p.string().length(16).primary().$type<Series>(),
    prefix: p.string().length(16),
    /** The keys of its numbers begin with this, the `prefixKey` of the prefix. */
    prefixKey: p.text(),
    /** The first number under the current prefix. */
    first: p.integer().default(1),
    next: p.integer(),
    past: p.json().$type<PastPrefix[]>().defaultRaw(`'[]'`),
  },
});
export class Numbering extends NumberingSchema.class {}
NumberingSchema.setClass(Numbering);

/**
 * Reason why a series has no document with a number: its draft is gone, its test clock is gone, its document took another number, or the
 * series was moved past it.
 */
export type GapReason = 'draft_deleted' | 'clock_deleted' | 'changed' | 'skipped';

const NumberingGapSchema = defineEntity({
  name: 'NumberingGap',
  policies: closedPolicies,
  comment:
    'Numbers that a series passed without a document, with the reason; numbers that a document took later do not count',
  properties: {
    ...tenantKey,
    series: p.string().length(16).$type<Series>(),
    /** `prefixKey` of the prefix. */
    prefix: p.text(),
    first: p.integer(),
    last: p.integer(),
    reason: p.string().length(16).$type<GapReason>(),
    documentId: p.integer().nullable(),
    createdAt: p.datetime(),
  },
  indexes: [{ name: 'numbering_gap_by_series', properties: ['accountId', 'series', 'prefix', 'first'] }],
});
export class NumberingGap extends NumberingGapSchema.class {}
NumberingGapSchema.setClass(NumberingGap);
