import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { exact, metadata, tenantKey, timestamps } from './columns.ts';
import { metadataIndex, partialIndex } from './indexes.ts';

const LIVE = 'archived_at is null';

const TaxRateSchema = defineEntity({
  name: 'TaxRate',
  policies: tenantPolicies,
  comment: 'A tax rate; `code` is the public id and can be reused after archiving',
  properties: {
    ...tenantKey,
    code: p.string().length(64),
    name: p.string().length(255),
    value: exact(),
    isPercent: p.boolean(),
    /** Whether prices include it. */
    inclusive: p.boolean(),
    /** Null: valid for all currencies. */
    currency: p.string().length(3).nullable(),
    /** Code of the general ledger account of the tax. */
    glAccount: p.string().length(255).nullable(),
    metadata,
    archivedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'tax_rate_by_code', properties: ['accountId', 'code'] }, // archived ones too
    {
      name: 'tax_rate_code',
      expression: 'create unique index "tax_rate_code" on "tax_rate" ("account_id", "code") where archived_at is null',
    },
    partialIndex('tax_rate', 'tax_rate_live', ['account_id, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_name', ['account_id, name, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_is_percent', ['account_id, is_percent, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_inclusive', ['account_id, inclusive, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_gl_account', ['account_id, gl_account, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('tax_rate', 'tax_rate_by_updated', ['account_id, updated_at, id', LIVE]),
    metadataIndex('tax_rate'),
  ],
  checks: [
    { name: 'tax_rate_value', expression: 'value >= 0' },
    { name: 'tax_rate_currency', expression: 'is_percent or currency is not null' },
  ],
});
export class TaxRate extends TaxRateSchema.class {}
TaxRateSchema.setClass(TaxRate);

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
