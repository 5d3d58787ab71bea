import { createTaxRule, deleteTaxRule, updateTaxRule } from '../../../commands/catalog/taxRules.ts';
import type { TaxRule } from '../../../db/schema/taxRule.ts';
import { presentTaxRule } from '../../../present/catalog/taxRule.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { taxRules } from './resource.ts';
import { newTaxRule, taxRuleChange } from './schema.ts';

const path = '/tax_rules';
const present = (rule: TaxRule) => presentTaxRule(rule, rule.taxRate);

export const taxRuleRoutes: Route[] = [
  createRoute({
    path,
    resource: taxRules,
    summary: 'Create a tax rule, which applies a tax rate automatically by place',
    body: newTaxRule,
    present,
    example: { tax_rate: 'vat-19', country: 'DE' },
    command: (em, { caller, body }, now) => {
      const { tax_rate: rateCode, country = null, state = null, reverse_charge: reverseCharge } = body;
      return createTaxRule(em, { caller, rateCode, country, state, reverseCharge }, now);
    },
  }),
  listRoute({ path, resource: taxRules, summary: 'List tax rules' }),
  readRoute({ path, resource: taxRules, summary: 'Read a tax rule' }),
  updateRoute({
    path,
    resource: taxRules,
    summary: 'Change a tax rule: rate, place or reverse charge, for new documents',
    present,
    body: taxRuleChange,
    example: { country: 'DE', state: 'BY' },
    command: (em, { caller, id, body }, now) => {
      const { tax_rate: rateCode, country, state, reverse_charge: reverseCharge } = body;
      return updateTaxRule(em, { caller, id, rateCode, country, state, reverseCharge }, now);
    },
  }),
  deleteRoute({ path, resource: taxRules, summary: 'Delete a tax rule', command: deleteTaxRule }),
];
