import { estimateStatuses } from '../../../billing/estimate.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import { condition } from '../../../db/queries/kernel/condition.ts';
import { Estimate } from '../../../db/schema/estimate.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { presentEstimate } from '../../../present/documents/estimate.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { lines } from '../documents/parts.ts';
import { invoices } from '../invoices/resource.ts';
import { byNumber } from '../number.ts';
import { estimate } from './shape.ts';

export const estimates: Resource<Estimate, 'id'> = {
  name: 'Estimate',
  shape: estimate,
  row: Estimate,
  idColumn: 'id',
  metadata: true,
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    invoice: filtered('invoice_id', fields.id),
    number: byNumber,
    status: filtered('status', fields.choice(...estimateStatuses)),
    currency: filtered('currency', fields.currency),
    closed: filtered('closed', fields.boolean),
    deposit_paid: filtered('deposit_paid', fields.boolean),
    date: sorted('date'),
    expiration_date: sorted('expires_at'),
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
    const lines = await reading.children(LineItem, { column: 'estimate_id', ids, orderBy });
    return mapBreathing(rows, (row) => presentEstimate(row, lines.get(row.id) ?? []));
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
