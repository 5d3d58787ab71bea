import { condition } from '../../../db/queries/kernel/condition.ts';
import { Item } from '../../../db/schema/item.ts';
import { TaxRate } from '../../../db/schema/taxRate.ts';
import { presentItem } from '../../../present/catalog/item.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { item } from './shape.ts';

export const items: Resource<Item, 'code'> = {
  name: 'Item',
  shape: item,
  row: Item,
  idColumn: 'code',
  metadata: true,
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    type: filtered('type', fields.text()),
    currency: filtered('currency', fields.currency),
    gl_account: filtered('gl_account', fields.text()),
    taxable: filtered('taxable', fields.boolean),
    discountable: filtered('discountable', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const ids = rows.flatMap((row) => row.taxRateIds);
    const rates = await reading.byId(TaxRate, ids);
    return rows.map((row) => presentItem(row, rates));
  },
};
