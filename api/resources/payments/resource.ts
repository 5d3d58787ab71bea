import { paymentMethods } from '../../../billing/paymentMethods.ts';
import { Charge } from '../../../db/schema/charge.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { PaymentApplication } from '../../../db/schema/paymentApplication.ts';
import { presentApplications, presentPayment } from '../../../present/payments/payment.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { ofNumber } from '../number.ts';
import { parts } from './parts.ts';
import { payment } from './shape.ts';

export const payments: Resource<Payment, 'id'> = {
  name: 'Payment',
  shape: payment,
  row: Payment,
  idColumn: 'id',
  metadata: true,
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    method: filtered('method', fields.choice(...paymentMethods)),
    currency: filtered('currency', fields.currency),
    voided: filtered('voided', fields.boolean),
    matched: filtered('matched', fields.boolean),
    reference: filtered('reference', fields.text()),
    source: filtered('source', fields.text()),
    receipt_number: { sort: null, filter: ofNumber('receipt_number_key') },
    date: sorted('date'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  present: async (reading, rows) => {
    const ids = rows.flatMap(({ charge }) => (charge ? [charge.id] : []));
    const charges = await reading.byId(Charge, ids);
    return rows.map((row) => presentPayment(row, charges.get(row.charge?.id ?? 0) ?? null));
  },
  parts,
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer?.id ?? null,
    ),
  },
  includes: {
    applied_to: async (reading, rows) => {
      const ids = rows.map(({ id }) => id);
      const applied = await reading.children(PaymentApplication, {
        column: 'payment_id',
        ids,
        orderBy: 'id',
      });
      return rows.map((row) => presentApplications(applied.get(row.id) ?? []));
    },
  },
};
