import { Customer } from '../../../db/schema/customer.ts';
import { PaymentSource } from '../../../db/schema/paymentSource.ts';
import { presentCustomer } from '../../../present/customer.ts';
import * as fields from '../../fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../resource.ts';
import { customer } from './shape.ts';

export const customers: Resource<Customer, 'id'> = {
  name: 'Customer',
  shape: customer,
  row: Customer,
  idColumn: 'id',
  metadata: true,
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    number: column('number', fields.text()),
    email: column('email', fields.text()),
    autopay: filtered('autopay', fields.boolean),
    type: filtered('type', fields.choice('company', 'person')),
    currency: filtered('currency', fields.currency),
    country: filtered('country', fields.country),
    test_clock: filtered('test_clock_id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const ids = rows.flatMap(({ defaultSource }) => (defaultSource ? [defaultSource.id] : []));
    const sources = await reading.byId(PaymentSource, ids);
    return rows.map((row) => presentCustomer(row, sources.get(row.defaultSource?.id ?? 0) ?? null));
  },
};
