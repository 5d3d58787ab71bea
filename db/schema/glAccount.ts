import { defineEntity, p } from '@mikro-orm/core';
import { type GlAccountType, glAccountTypes } from '../../billing/reports/glAccounts.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';

const GlAccountSchema = defineEntity({
  name: 'GlAccount',
  policies: tenantPolicies,
  comment: 'An account of the general ledger in the accounting software of the business; others name it by its code',
  properties: {
    ...tenantKey,
    code: p.string().length(255),
    /** Comparison key: `numberKey` of the code. */
    codeKey: p.string().length(255),
    name: p.string().length(255),
    type: p.string().length(9).$type<GlAccountType>().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'gl_account_code', properties: ['accountId', 'codeKey'] }],
  indexes: [
    { name: 'gl_account_by_code', properties: ['accountId', 'code', 'id'] },
    { name: 'gl_account_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'gl_account_by_type', properties: ['accountId', 'type', 'id'] },
    { name: 'gl_account_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'gl_account_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [oneOf('gl_account', 'type', glAccountTypes)],
});
export class GlAccount extends GlAccountSchema.class {}
GlAccountSchema.setClass(GlAccount);
