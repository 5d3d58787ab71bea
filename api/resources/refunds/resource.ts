import { chargeStatuses } from '../../../db/schema/charge.ts';
import { Refund } from '../../../db/schema/refund.ts';
import { presentRefund } from '../../../present/payments/refund.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
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
  present: async (_reading, rows) => rows.map(presentRefund),
  relations: {
    charge: relation(
      () => charges,
      (row) => row.charge.id,
    ),
  },
};
