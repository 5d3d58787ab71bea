import { estimateStatuses } from '../../../billing/documents/estimate.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import { searchWithCustomer } from '../../../db/queries/kernel/search.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { Estimate } from '../../../db/schema/estimate.ts';
import { DOCUMENT_COLUMNS, DOCUMENT_KEYS, DOCUMENT_WORDS } from '../../../db/schema/indexes.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { presentEstimate } from '../../../present/documents/estimate.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import {
  amounts,
  between,
  byCustomerName,
  column,
  filtered,
  type Resource,
  sorted,
  updatedBetween,
} from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import {
  attachments,
  byNumber,
  changedLines,
  disabledPaymentMethods,
  discounts,
  newLines,
  shipTo,
  taxes,
  terms,
} from '../documents/fields.ts';
import { lineItem, lines, shownDiscounts, shownShipTo, shownTaxes } from '../documents/shape.ts';
import { invoices } from '../invoices/resource.ts';

const state = {
  draft: shown.flag('True until it is issued', false),
  closed: shown.flag('True: it was declined, expired, invoiced, voided or closed by a request', false),
  approved: shown.unset(shown.flag('True: the customer approved it; null: not yet', true)),
  decline_reason: shown.unset(
    shown.text('Reason that the customer gave when it declined it on its page; null: none', 'Too expensive'),
  ),
  status: shown.oneOf('Status of the estimate', 'not_sent', estimateStatuses),
};

export const estimate = shown.shape('Estimate', 'Estimate: an offer to a customer, which can become an invoice', {
  id: shown.id('Id of the estimate', 57),
  customer: shown.id('Id of the customer'),
  invoice: shown.unset(shown.id('Id of the invoice that it became; null: none', 77)),
  name: shown.text('Internal name; not printed', 'Estimate'),
  number: shown.nullable(shown.text('Number of the document; null for a draft without one', 'EST-00001')),
  currency: shown.currency(),
  ...state,
  date: shown.timestamp('Date of the document'),
  expiration_date: shown.unset(
    shown.timestamp(
      'Last day of validity; it expires at the end of this day in the time zone of the account; null: never',
    ),
  ),
  payment_terms: shown.unset(shown.text('Payment terms of its invoice, such as `NET 30`', 'NET 30')),
  purchase_order: shown.unset(shown.text('Purchase order number of the customer', 'PO-1138')),
  items: shown.listOf(lineItem, 'Lines of the document'),
  notes: shown.unset(shown.text('Notes, printed at the end of the document', 'Thank you')),
  subtotal: shown.money('Sum of the lines before discounts, without taxes contained in prices', 240),
  discounts: shownDiscounts,
  taxes: shownTaxes,
  ship_to: shownShipTo,
  total: shown.money('Subtotal less discounts plus taxes', 240),
  deposit: shown.money('Deposit that the customer is asked to pay in advance', 0),
  deposit_paid: shown.flag('True: the whole deposit was received, or a request set this', false),
  disabled_payment_methods: shown.textList(
    'Payment methods that the customer’s pages do not offer for it or its invoice',
  ),
  url: shown.nullable(
    shown.documentUrl(
      'URL of the page on which the customer reads, approves or declines it; needs no key; null for a draft',
      'estimate/57',
    ),
  ),
  payment_url: shown.nullable(
    shown.documentUrl(
      'URL of the page on which the customer pays its deposit; needs no key; null until the customer has approved it, without a deposit, and once the deposit is paid or the estimate is invoiced, closed or voided',
      'estimate/57',
      '/pay',
    ),
  ),
  pdf_url: shown.nullable(shown.documentPdf('estimate/57', '; null for a draft')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

const computed = [
  'id',
  'object',
  'approved',
  'decline_reason',
  'status',
  'subtotal',
  'total',
  'url',
  'payment_url',
  'pdf_url',
  'created_at',
  'updated_at',
];

/** Fields that creating and changing share. */
const common = {
  currency: fields.currency,
  payment_terms: terms,
  purchase_order: fields.reference,
  date: fields.timestamp,
  expiration_date: fields.described(
    fields.timestamp,
    'Last day of validity: it expires at the end of this day in the time zone of the account, unless it was approved or a part of its deposit was paid; UNIX time in seconds',
  ),
  notes: fields.longText,
  discounts,
  taxes,
  ship_to: shipTo,
  disabled_payment_methods: disabledPaymentMethods,
};

const deposit = fields.described(
  fields.nonNegativeAmount,
  'Deposit that the customer is asked to pay in advance; at most the total; in major currency units',
);

const DEPOSIT_PAID = 'True: the deposit was received outside Perennial';
export const newEstimate = object(
  {
    customer: fields.required(fields.id),
    invoice: fields.described(fields.id, 'Id of an existing invoice of the same customer that it became'),
    name: fields.name,
    number: fields.number,
    ...common,
    draft: fields.described(fields.withDefault(fields.boolean, false), 'True: create a draft instead of issuing it'),
    sent: fields.described(fields.withDefault(fields.boolean, false), 'True: mark it as sent to the customer'),
    closed: fields.described(fields.withDefault(fields.boolean, false), 'True: the estimate is declined'),
    deposit: fields.withDefault(deposit, '0'),
    deposit_paid: fields.described(fields.withDefault(fields.boolean, false), DEPOSIT_PAID),
    items: newLines,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, true),
      'False: apply no tax rates, not even those of items, customer or place',
    ),
    attachments,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly: computed },
);

export const estimateChange = object(
  {
    customer: fields.described(
      fields.kept(fields.id),
      'Id of the new customer of a draft; an issued estimate keeps its customer',
    ),
    invoice: fields.described(fields.id, 'Cannot be changed; the current value is accepted'),
    name: fields.resettable(fields.name, 'Estimate'),
    number: fields.number,
    ...common,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False: issue the draft'),
    sent: fields.described(
      fields.kept(fields.boolean),
      'True: mark it as sent to the customer; false: as not sent. Not in responses',
    ),
    closed: fields.described(fields.kept(fields.boolean), 'True: decline the estimate; false: reopen it'),
    deposit: fields.resettable(deposit, '0'),
    deposit_paid: fields.described(fields.kept(fields.boolean), DEPOSIT_PAID),
    items: changedLines,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: look up the tax rates of customer or place again; false: keep the current rates',
    ),
    attachments,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly: computed },
);

export const estimates: Resource<Estimate, 'id'> = {
  name: 'Estimate',
  area: 'documents',
  shape: estimate,
  row: Estimate,
  idColumn: 'id',
  metadata: true,
  searchable: searchWithCustomer(
    'estimate',
    { words: DOCUMENT_WORDS, keys: DOCUMENT_KEYS, columns: DOCUMENT_COLUMNS },
    '`name`, `number` and `purchase_order`, and in the name and email of the customer',
  ),
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    'customer.name': byCustomerName(),
    invoice: filtered('invoice_id', fields.id),
    number: byNumber,
    status: filtered('status', fields.choice(...estimateStatuses)),
    currency: filtered('currency', fields.currency),
    closed: filtered('closed', fields.boolean),
    deposit_paid: filtered('deposit_paid', fields.boolean),
    total: amounts('total'),
    date: sorted('date'),
    expiration_date: sorted('expires_at'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...updatedBetween,
  },
  present: async (reading, rows) => {
    const ids = rows.map(({ id }) => id);
    const orderBy = 'position';
    const lines = await reading.children(LineItem, { column: 'estimate_id', ids, orderBy });
    return mapBreathing(rows, (row) => presentEstimate(row, lines.get(row.id) ?? []));
  },
  parts: { items: lines },
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    invoice: relation(
      () => invoices,
      (row) => row.invoice?.id ?? null,
    ),
  },
};
