import { promiseStates } from '../../../billing/collection/promise.ts';
import { invoiceStatuses } from '../../../billing/documents/invoice.ts';
import { paymentFailureCodes } from '../../../billing/payments/declines.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import { searchWithCustomer } from '../../../db/queries/kernel/search.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { DOCUMENT_COLUMNS, DOCUMENT_KEYS, DOCUMENT_WORDS } from '../../../db/schema/indexes.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import * as fields from '../../body/fields.ts';
import {
  amounts,
  between,
  byCustomerName,
  column,
  contained,
  filtered,
  filteredIfSet,
  type Resource,
  sorted,
  updatedBetween,
} from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { byNumber } from '../documents/fields.ts';
import { lines } from '../documents/shape.ts';
import { invoiceChasingCadences } from '../invoiceChasingCadences.ts';
import { paymentPlans } from '../paymentPlans.ts';
import { subscriptions } from '../subscriptions/resource.ts';
import { invoice } from './shape.ts';

export const invoices: Resource<Invoice, 'id'> = {
  name: 'Invoice',
  area: 'documents',
  shape: invoice,
  row: Invoice,
  idColumn: 'id',
  metadata: true,
  searchable: searchWithCustomer(
    'invoice',
    { words: DOCUMENT_WORDS, keys: DOCUMENT_KEYS, columns: DOCUMENT_COLUMNS },
    '`name`, `number` and `purchase_order`, and in the name and email of the customer',
  ),
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    'customer.name': byCustomerName(),
    subscription: filtered('subscription_id', fields.id),
    name: contained,
    number: byNumber,
    purchase_order: contained,
    status: filtered('status', fields.choice(...invoiceStatuses)),
    currency: filtered('currency', fields.currency),
    payment_failure: filteredIfSet('payment_failure_code', fields.choice(...Object.keys(paymentFailureCodes))),
    expected_payment_status: filteredIfSet('promise', fields.choice(...promiseStates)),
    autopay: filtered('autopay', fields.boolean),
    paid: filtered('paid', fields.boolean),
    closed: filtered('closed', fields.boolean),
    total: amounts('total'),
    balance: amounts('balance'),
    date: sorted('date'),
    due_date: sorted('due_at'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...updatedBetween,
  },
  present: async (reading, rows) => {
    const ids = rows.map(({ id }) => id);
    const lines = await reading.children(LineItem, { column: 'invoice_id', ids, orderBy: 'position' });
    return mapBreathing(rows, (row) => presentInvoice(row, lines.get(row.id) ?? []));
  },
  parts: { items: lines },
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    consolidated_into: relation(
      () => invoices,
      (row) => row.consolidatedInto?.id ?? null,
    ),
    payment_plan: relation(
      () => paymentPlans,
      (row) => row.paymentPlanId ?? null,
    ),
    chasing_cadence: relation(
      () => invoiceChasingCadences,
      (row) => row.chasingCadence?.id ?? null,
    ),
    subscription: relation(
      () => subscriptions,
      (row) => row.subscription?.id ?? null,
    ),
  },
};
