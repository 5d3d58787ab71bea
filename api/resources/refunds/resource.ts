import { Refund } from '../../../db/schema/refund.ts';
import { presentRefund } from '../../../present/payments/refund.ts';
import * as fields from '../../body/fields.ts';
import { column, filtered, type Resource } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { operationColumns, operationParameters } from '../charges/columns.ts';
import { charges } from '../charges/resource.ts';
import { refund } from './shape.ts';

export const refunds: Resource<Refund, 'id'> = {
  name: 'Refund',
  shape: refund,
  row: Refund,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    charge: filtered('charge_id', fields.id),
    ...operationColumns,
  },
  parameters: operationParameters,
  present: async (_reading, rows) => rows.map(presentRefund),
  relations: {
    charge: relation(
      () => charges,
      (row) => row.charge.id,
    ),
  },
};
