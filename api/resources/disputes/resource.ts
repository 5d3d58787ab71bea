import { Dispute, disputeStatuses } from '../../../db/schema/dispute.ts';
import { presentDispute } from '../../../present/payments/dispute.ts';
import * as fields from '../../body/fields.ts';
import { column, filtered, type Resource } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { operationColumns, operationParameters } from '../charges/columns.ts';
import { charges } from '../charges/resource.ts';
import { dispute } from './shape.ts';

export const disputes: Resource<Dispute, 'id'> = {
  name: 'Dispute',
  shape: dispute,
  row: Dispute,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    charge: filtered('charge_id', fields.id),
    ...operationColumns,
    status: filtered('status', fields.choice(...disputeStatuses)),
  },
  parameters: operationParameters,
  present: async (_reading, rows) => rows.map(presentDispute),
  relations: {
    charge: relation(
      () => charges,
      (row) => row.charge.id,
    ),
  },
};
