import { Charge, chargeStatuses } from '../../../db/schema/charge.ts';
import { presentCharge } from '../../../present/payments/charge.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { charge } from './shape.ts';

export const charges: Resource<Charge, 'id'> = {
  name: 'Charge',
  shape: charge,
  row: Charge,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    status: filtered('status', fields.choice(...chargeStatuses)),
    currency: filtered('currency', fields.currency),
    gateway: filtered('gateway', fields.text()),
    gateway_id: filtered('gateway_id', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('created_at', fields.timestamp, ['start_date', 'end_date']),
    ...between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  present: async (_reading, rows) => rows.map(presentCharge),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
  },
};
