import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

const NumberingSchema = defineEntity({
  name: 'Numbering',
  policies: tenantPolicies,
  comment: 'Number series of an account; `next` is taken, last of all, in the transaction that uses it',
  properties: {
    accountId: p.integer().primary(),
    series: p.string().length(16).primary().$type<'invoice' | 'customer'>(),
    prefix: p.string().length(16),
    next: p.integer(),
  },
});
export class Numbering extends NumberingSchema.class {}
NumberingSchema.setClass(Numbering);
