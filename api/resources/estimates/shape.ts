import { estimateStatuses } from '../../../billing/estimate.ts';
import * as fields from '../../framework/shape.ts';
import { discounts, lineItem, shipTo, taxes } from '../documents/shape.ts';

const state = {
  draft: fields.flag('Whether it is not issued yet', false),
  closed: fields.flag('Whether nothing more becomes of it: declined, expired, invoiced, or closed by hand', false),
  approved: fields.unset(fields.flag('True once the customer has approved it', true)),
  status: fields.oneOf('Where it is', 'not_sent', estimateStatuses),
};

export const estimate = fields.shape('Estimate', 'What something would cost', {
  id: fields.id('Its id', 57),
  customer: fields.id('Whom it is for'),
  invoice: fields.unset(fields.id('The invoice that it became', 77)),
  name: fields.text('Name for the seller', 'Estimate'),
  number: fields.nullable(fields.text('The next of the series unless it is given', 'EST-00001')),
  currency: fields.currency(),
  ...state,
  date: fields.timestamp('Its date'),
  expiration_date: fields.unset(fields.timestamp('It holds until the end of this day in the time zone of the seller')),
  payment_terms: fields.unset(fields.text('Terms that its invoice is to have', 'NET 30')),
  purchase_order: fields.unset(fields.text('Purchase order of the customer', 'PO-1138')),
  items: fields.listOf(lineItem, 'Its lines'),
  notes: fields.unset(fields.text('Printed at its end', 'Thank you')),
  subtotal: fields.number('Sum of its lines', 240),
  discounts,
  taxes,
  ship_to: shipTo,
  total: fields.number('Subtotal less discounts and with taxes', 240),
  deposit: fields.number('What is asked up front', 0),
  deposit_paid: fields.flag('Whether that has arrived', false),
  disabled_payment_methods: fields.textList(
    'Payment methods that the customer’s pages offer neither for it nor for its invoice',
  ),
  url: fields.nullable(
    fields.documentUrl('Where the customer sees, approves or declines it; null of a draft', 'estimate/57'),
  ),
  pdf_url: fields.nullable(fields.documentPdf('estimate/57', '; null of a draft')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
