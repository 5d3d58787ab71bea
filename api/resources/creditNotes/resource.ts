import { creditNoteStatuses } from '../../../billing/creditNote.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import { condition } from '../../../db/queries/kernel/condition.ts';
import { CreditNote } from '../../../db/schema/creditNote.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { presentCreditNote } from '../../../present/documents/creditNote.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { lines } from '../documents/parts.ts';
import { invoices } from '../invoices/resource.ts';
import { byNumber } from '../number.ts';
import { creditNote } from './shape.ts';

export const creditNotes: Resource<CreditNote, 'id'> = {
  name: 'Credit note',
  shape: creditNote,
  row: CreditNote,
  idColumn: 'id',
  metadata: true,
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    invoice: filtered('invoice_id', fields.id),
    number: byNumber,
    status: filtered('status', fields.choice(...creditNoteStatuses)),
    currency: filtered('currency', fields.currency),
    paid: filtered('paid', fields.boolean),
    closed: filtered('closed', fields.boolean),
    date: sorted('date'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  present: async (reading, rows) => {
    const ids = rows.map(({ id }) => id);
    const orderBy = 'position';
    const lines = await reading.children(LineItem, { column: 'credit_note_id', ids, orderBy });
    return mapBreathing(rows, (row) => presentCreditNote(row, lines.get(row.id) ?? []));
  },
  parts: { items: lines },
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    invoice: relation(
      () => invoices,
      (row) => row.invoice?.id ?? null,
    ),
  },
};
