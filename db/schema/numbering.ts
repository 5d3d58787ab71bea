import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

/** Number series of an account. All except customers number documents in the table of that name. */
export type Series = 'invoice' | 'credit_note' | 'estimate' | 'customer';

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
    /** Beginning of the keys of its numbers: `prefixKey` of the prefix. */
    prefixKey: p.text(),
    /** The first number under the current prefix. */
    first: p.integer().default(1),
    next: p.integer(),
    past: p.json().$type<PastPrefix[]>().defaultRaw(`'[]'`),
  },
});
export class Numbering extends NumberingSchema.class {}
NumberingSchema.setClass(Numbering);
