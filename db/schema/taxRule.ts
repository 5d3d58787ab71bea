import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { TaxRate } from './taxRate.ts';

const TaxRuleSchema = defineEntity({
  name: 'TaxRule',
  policies: tenantPolicies,
  comment: 'A place where a tax rate applies automatically; null means any country or any state',
  properties: {
    ...tenantKey,
    taxRate: () => p.manyToOne(TaxRate).joinColumns('account_id', 'tax_rate_id').deleteRule('restrict'),
    country: p.string().length(2).nullable(),
    state: p.string().length(255).nullable(),
    /** Whether companies in other countries than the seller's owe the tax themselves. */
    reverseCharge: p.boolean().default(false),
    ...timestamps,
  },
  indexes: [
    { name: 'tax_rule_by_rate', properties: ['accountId', 'taxRate', 'id'] },
    { name: 'tax_rule_by_country', properties: ['accountId', 'country', 'id'] },
    { name: 'tax_rule_by_state', properties: ['accountId', 'state', 'id'] },
    { name: 'tax_rule_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'tax_rule_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [{ name: 'tax_rule_state', expression: 'state is null or country is not null' }],
});
export class TaxRule extends TaxRuleSchema.class {}
TaxRuleSchema.setClass(TaxRule);
