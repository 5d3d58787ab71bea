import { CreditBalanceAdjustment } from '../../../db/schema/creditBalanceAdjustment.ts';
import { presentCreditBalanceAdjustment } from '../../../present/customers/creditBalanceAdjustment.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { customers } from '../customers/resource.ts';
import { creditBalanceAdjustment } from './shape.ts';

export const creditBalanceAdjustments: Resource<CreditBalanceAdjustment, 'id'> = {
  name: 'Credit balance adjustment',
  shape: creditBalanceAdjustment,
  row: CreditBalanceAdjustment,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    currency: filtered('currency', fields.currency),
    date: sorted('date'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  present: async (_reading, rows) => rows.map(presentCreditBalanceAdjustment),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    credit_note: relation(
      () => creditNotes,
      (row) => row.creditNoteId ?? null,
    ),
  },
};
