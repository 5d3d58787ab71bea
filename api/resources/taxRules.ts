import { createTaxRule, deleteTaxRule, updateTaxRule } from '../../commands/catalog/taxRules.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { TaxRate, TaxRule } from '../../db/schema/taxRate.ts';
import { presentTaxRule } from '../../present/catalog/products.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween, where } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { taxRates } from './taxRates.ts';

const COUNTRY = 'Country of the place: two-letter ISO 3166-1 code; null: any country';
const REVERSE_CHARGE =
  'True: companies outside your country, with a well-formed VAT number of theirs, owe the tax themselves';

const taxRule = shown.shape(
  'TaxRule',
  'Tax rule: applies a tax rate automatically to documents shipped or billed to a place',
  {
    id: shown.id('Id of the tax rule'),
    tax_rate: shown.code('Id of the tax rate to apply', 'vat-19'),
    country: shown.nullable({
      schema: {
        ...shown.country.schema,
        description: COUNTRY,
      },
      example: 'DE',
    }),
    state: shown.nullable(
      shown.text('State as in addresses, compared without regard to case; null: the whole country', 'BY'),
      null,
    ),
    reverse_charge: shown.flag(REVERSE_CHARGE, false),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

const readOnly = ['object', 'created_at', 'updated_at'];
const country = fields.described(fields.country, COUNTRY);
const state = fields.text();

const reverseCharge = fields.described(fields.boolean, REVERSE_CHARGE);

const newTaxRule = object(
  { tax_rate: fields.required(fields.code), country, state, reverse_charge: fields.withDefault(reverseCharge, false) },
  { readOnly },
);

const taxRuleChange = object(
  { tax_rate: fields.kept(fields.code), country, state, reverse_charge: fields.resettable(reverseCharge, false) },
  { readOnly: ['id', ...readOnly] },
);

const ofRate =
  '(account_id, tax_rate_id) in (select account_id, id from tax_rate where code = ? and archived_at is null)';

const taxRules: Resource<TaxRule, 'id'> = {
  name: 'Tax rule',
  area: 'catalog',
  shape: taxRule,
  row: TaxRule,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    tax_rate: { sort: null, filter: where(fields.code, (code) => condition(ofRate, code)) },
    country: filtered('country', fields.country),
    state: filtered('state', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  relations: {
    tax_rate: relation(
      () => taxRates,
      (row) => row.taxRate.id,
    ),
  },
  present: async (reading, rows) => {
    const ids = rows.map((row) => row.taxRate.id);
    const rates = await reading.byId(TaxRate, ids);
    return rows.map((row) => presentTaxRule(row, rates.get(row.taxRate.id) ?? { code: '' }));
  },
};

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
