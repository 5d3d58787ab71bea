import { condition } from '../../../db/queries/kernel/condition.ts';
import { TaxRate } from '../../../db/schema/taxRate.ts';
import { TaxRule } from '../../../db/schema/taxRule.ts';
import { presentTaxRule } from '../../../present/catalog/taxRule.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted, where } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { taxRates } from '../taxRates/resource.ts';
import { taxRule } from './shape.ts';

const ofRate =
  '(account_id, tax_rate_id) in (select account_id, id from tax_rate where code = ? and archived_at is null)';

export const taxRules: Resource<TaxRule, 'id'> = {
  name: 'Tax rule',
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
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
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
