import { estimateStatuses } from '../../../billing/estimate.ts';
import * as fields from '../../framework/shape.ts';
import { discounts, lineItem, shipTo, taxes } from '../documents/shape.ts';

const state = {
  draft: fields.flag('True until it is issued', false),
  closed: fields.flag('True: it was declined, expired, invoiced, voided or closed by a request', false),
  approved: fields.unset(fields.flag('True: the customer approved it; null: not yet', true)),
  status: fields.oneOf('Status of the estimate', 'not_sent', estimateStatuses),
};

export const estimate = fields.shape('Estimate', 'Estimate: an offer to a customer, which can become an invoice', {
  id: fields.id('Id of the estimate', 57),
  customer: fields.id('Id of the customer'),
  invoice: fields.unset(fields.id('Id of the invoice that it became; null: none', 77)),
  name: fields.text('Internal name; not printed', 'Estimate'),
  number: fields.nullable(fields.text('Number of the document; null for a draft without one', 'EST-00001')),
  currency: fields.currency(),
  ...state,
  date: fields.timestamp('Date of the document'),
  expiration_date: fields.unset(
    fields.timestamp(
      'Last day of validity; it expires at the end of this day in the time zone of the account; null: never',
    ),
  ),
  payment_terms: fields.unset(fields.text('Payment terms of its invoice, such as `NET 30`', 'NET 30')),
  purchase_order: fields.unset(fields.text('Purchase order number of the customer', 'PO-1138')),
  items: fields.listOf(lineItem, 'Lines of the document'),
  notes: fields.unset(fields.text('Notes, printed at the end of the document', 'Thank you')),
  subtotal: fields.money('Sum of the lines before discounts, without taxes contained in prices', 240),
  discounts,
  taxes,
  ship_to: shipTo,
  total: fields.money('Subtotal less discounts plus taxes', 240),
  deposit: fields.money('Deposit that the customer is asked to pay in advance', 0),
  deposit_paid: fields.flag('True: the whole deposit was received, or a request set this', false),
  disabled_payment_methods: fields.textList(
    'Payment methods that the customer’s pages do not offer for it or its invoice',
  ),
  url: fields.nullable(
    fields.documentUrl(
      'URL of the page on which the customer reads, approves or declines it; needs no key; null for a draft',
      'estimate/57',
    ),
  ),
  payment_url: fields.nullable(
    fields.documentUrl(
      'URL of the page on which the customer pays its deposit; needs no key; null until the customer has approved it, without a deposit, and once the deposit is paid or the estimate is invoiced, closed or voided',
      'estimate/57',
      '/pay',
    ),
  ),
  pdf_url: fields.nullable(fields.documentPdf('estimate/57', '; null for a draft')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
