import { condition } from '../../../db/queries/kernel/condition.ts';
import { Attempt } from '../../../db/schema/attempt.ts';
import { PaymentConsent } from '../../../db/schema/paymentConsent.ts';
import { presentPaymentConsent } from '../../../present/payments/paymentConsent.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource } from '../../framework/resource.ts';
import { pathId } from '../../framework/route.ts';
import { paymentConsent } from './shape.ts';

/** The consents of the customer in the path to automatic payment. */
export const paymentConsents: Resource<PaymentConsent, 'id'> = {
  name: 'Payment consent',
  shape: paymentConsent,
  row: PaymentConsent,
  idColumn: 'id',
  listed: (request) => condition('customer_id = ?', pathId(request, 'Customer')),
  columns: { id: column('id', fields.id) },
  parameters: between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const attempts = await reading.byId(
      Attempt,
      rows.map((row) => row.attempt.id),
    );
    return rows.map((row) => presentPaymentConsent(row, attempts.get(row.attempt.id)?.source?.id ?? null));
  },
};
