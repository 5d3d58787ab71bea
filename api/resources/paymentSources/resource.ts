import { condition } from '../../../db/queries/kernel/condition.ts';
import { PaymentSource } from '../../../db/schema/customer.ts';
import { presentPaymentSource } from '../../../present/payments/paymentSource.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { pathId } from '../../framework/route.ts';
import { paymentSource } from './shape.ts';

/** The sources of the customer in the path. */
export const paymentSources: Resource<PaymentSource, 'id'> = {
  name: 'Payment source',
  shape: paymentSource,
  row: PaymentSource,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  listed: (request) => condition('customer_id = ?', pathId(request, 'Customer')),
  columns: { id: column('id', fields.id), created_at: sorted('created_at') },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentPaymentSource),
};
