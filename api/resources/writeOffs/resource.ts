import { WriteOff } from '../../../db/schema/writeOff.ts';
import { presentWriteOff } from '../../../present/documents/writeOff.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { invoices } from '../invoices/resource.ts';
import { payments } from '../payments/resource.ts';
import { writeOff } from './shape.ts';

export const writeOffs: Resource<WriteOff, 'id'> = {
  name: 'Write-off',
  shape: writeOff,
  row: WriteOff,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    invoice: filtered('invoice_id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentWriteOff),
  relations: {
    invoice: relation(
      () => invoices,
      (row) => row.invoice.id,
    ),
    payment: relation(
      () => payments,
      (row) => row.paymentId ?? null,
    ),
  },
};
