import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

/** What is numbered, each by a series of its account; all but customers are documents, in the table of that name. */
export type Series = 'invoice' | 'credit_note' | 'estimate' | 'customer';

/** A prefix that a series had before, and where it stopped. */
export interface PastPrefix {
  prefix: string;
  /** `prefixKey` of it. */
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
    /** What the keys of its numbers begin with: `prefixKey` of it. */
    prefixKey: p.text(),
    /** The first number that its prefix was to have. */
    first: p.integer().default(1),
    next: p.integer(),
    past: p.json().$type<PastPrefix[]>().defaultRaw(`'[]'`),
  },
});
export class Numbering extends NumberingSchema.class {}
NumberingSchema.setClass(Numbering);
