import { condition } from '../../../db/queries/kernel/condition.ts';
import { TaxRate } from '../../../db/schema/taxRate.ts';
import { presentTaxRate } from '../../../present/catalog/taxRate.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { taxRate } from './shape.ts';

export const taxRates: Resource<TaxRate, 'code'> = {
  name: 'Tax rate',
  shape: taxRate,
  row: TaxRate,
  idColumn: 'code',
  metadata: true,
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    currency: filtered('currency', fields.currency),
    is_percent: filtered('is_percent', fields.boolean),
    inclusive: filtered('inclusive', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentTaxRate),
};
