import { PaymentPlan } from '../../../db/schema/paymentPlan.ts';
import { presentPaymentPlan } from '../../../present/payments/paymentPlan.ts';
import * as fields from '../../body/fields.ts';
import { column, type Resource } from '../../framework/resource.ts';
import { paymentPlan } from './shape.ts';

export const paymentPlans: Resource<PaymentPlan, 'id'> = {
  name: 'Payment plan',
  shape: paymentPlan,
  row: PaymentPlan,
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  present: async (_reading, rows) => rows.map(presentPaymentPlan),
};
