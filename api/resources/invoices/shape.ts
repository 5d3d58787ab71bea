import { invoiceStatuses } from '../../../billing/invoice.ts';
import * as fields from '../../framework/shape.ts';
import { discounts, lineItem, shipTo, taxes } from '../documents/shape.ts';

const state = {
  draft: fields.flag('Whether it is not issued yet', false),
  closed: fields.flag('Whether nothing more is collected: paid, or given up', false),
  paid: fields.flag('Whether it is paid in full', false),
  status: fields.oneOf('Where it is', 'not_sent', invoiceStatuses),
  attempt_count: fields.integer('Automatic charges that have had an outcome', 0),
  next_payment_attempt: fields.unset(fields.timestamp('When it is charged next')),
};

export const invoice = fields.shape('Invoice', 'What a customer owes', {
  id: fields.id('Its id', 77),
  customer: fields.id('Who owes it'),
  name: fields.text('Name for the seller', 'Invoice'),
  number: fields.nullable(fields.text('The next of the series unless it is given', 'INV-00001')),
  autopay: fields.flag('Whether it is charged automatically', false),
  currency: fields.currency(),
  ...state,
  subscription: fields.unset(fields.id('The subscription that issued it')),
  date: fields.timestamp('Its date'),
  due_date: fields.nullable(fields.timestamp('When it is due', 1_798_675_200)),
  payment_terms: fields.nullable(fields.text('Its terms', 'NET 30')),
  purchase_order: fields.unset(fields.text('Purchase order of the customer', 'PO-1138')),
  items: fields.listOf(lineItem, 'Its lines'),
  notes: fields.unset(fields.text('Printed at its end', 'Thank you')),
  subtotal: fields.number('Sum of its lines', 240),
  total: fields.number('Subtotal less discounts and with taxes', 240),
  balance: fields.number('What is still owed', 240),
  discounts,
  taxes,
  ship_to: shipTo,
  disabled_payment_methods: fields.textList(
    'Payment methods that the customer’s pages do not offer for it and AutoPay does not use',
  ),
  payment_plan: fields.unset(fields.id('Its payment plan')),
  consolidated_into: fields.unset(fields.id('The invoice that took its place, with others')),
  url: fields.nullable(fields.documentUrl('Where the customer sees it; a draft is not shown', 'invoice/77')),
  payment_url: fields.unset(fields.text('Where the customer pays it', 'https://billing.example/pay')),
  pdf_url: fields.nullable(fields.documentPdf('invoice/77', '; null of a draft')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
