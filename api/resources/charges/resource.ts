import { Charge } from '../../../db/schema/charge.ts';
import { presentCharge } from '../../../present/payments/charge.ts';
import * as fields from '../../body/fields.ts';
import { column, filtered, type Resource } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { operationColumns, operationParameters } from './columns.ts';
import { charge } from './shape.ts';

export const charges: Resource<Charge, 'id'> = {
  name: 'Charge',
  shape: charge,
  row: Charge,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    ...operationColumns,
  },
  parameters: operationParameters,
  present: async (_reading, rows) => rows.map(presentCharge),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
  },
};
