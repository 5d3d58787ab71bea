import { condition } from '../../../db/queries/kernel/condition.ts';
import { ChasingCadence } from '../../../db/schema/chasingCadence.ts';
import { presentInvoiceCadence } from '../../../present/catalog/invoiceCadence.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { invoiceCadence } from './shape.ts';

export const invoiceChasingCadences: Resource<ChasingCadence, 'id'> = {
  name: 'Invoice chasing cadence',
  shape: invoiceCadence,
  row: ChasingCadence,
  idColumn: 'id',
  exists: condition("kind = 'invoice'"),
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentInvoiceCadence),
};
