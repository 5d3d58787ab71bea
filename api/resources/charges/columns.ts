import { chargeStatuses } from '../../../db/schema/charge.ts';
import * as fields from '../../body/fields.ts';
import { between, filtered, sorted } from '../../framework/resource.ts';

/** Columns of charges and of refunds: both are operations of a gateway. */
export const operationColumns = {
  status: filtered('status', fields.choice(...chargeStatuses)),
  currency: filtered('currency', fields.currency),
  gateway: filtered('gateway', fields.text()),
  gateway_id: filtered('gateway_id', fields.text()),
  created_at: sorted('created_at'),
  updated_at: sorted('updated_at'),
};

export const operationParameters = {
  ...between('created_at', fields.timestamp, ['start_date', 'end_date']),
  ...between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
};
