import { paymentFailureCodes } from '../../../billing/declines.ts';
import { invoiceStatuses } from '../../../billing/invoice.ts';
import { paymentMethods } from '../../../billing/paymentMethods.ts';
import { promiseStates } from '../../../billing/promise.ts';
import * as fields from '../../framework/shape.ts';
import { discounts, lineItem, shipTo, taxes } from '../documents/shape.ts';

const state = {
  draft: fields.flag('True until it is issued', false),
  closed: fields.flag('True: nothing more is collected, because it was paid, voided or written off', false),
  paid: fields.flag('True: it is paid in full', false),
  status: fields.oneOf('Status of the invoice', 'not_sent', invoiceStatuses),
  attempt_count: fields.integer('Number of automatic charges with an outcome', 0),
  next_payment_attempt: fields.unset(fields.timestamp('Time of the next automatic charge; null: none is planned')),
  payment_failure: fields.unset(
    fields.one(
      fields.value('PaymentFailure', 'Failure of the last automatic payment of an invoice', {
        code: fields.oneOf(
          'Code of the failure: a `decline_code`, `gateway_unavailable` or `gateway_refused`',
          'expired',
          Object.keys(paymentFailureCodes),
        ),
        message: fields.nullable(fields.text('Words of the gateway, for people', 'Your card has expired.')),
        at: fields.timestamp('Time of the failure'),
        next_attempt: fields.nullable(fields.timestamp('Time of the next automatic charge; null: none is planned')),
      }),
      'Failure of the last automatic payment; null: it did not fail, none was tried, or the invoice is closed',
    ),
  ),
};

export const invoice = fields.shape('Invoice', 'Invoice: an amount that a customer owes', {
  id: fields.id('Id of the invoice', 77),
  customer: fields.id('Id of the customer'),
  name: fields.text('Internal name; not printed', 'Invoice'),
  number: fields.nullable(fields.text('Number of the document; null for a draft without one', 'INV-00001')),
  autopay: fields.flag('True: it is charged automatically (AutoPay)', false),
  currency: fields.currency(),
  ...state,
  subscription: fields.unset(fields.id('Id of the subscription that it bills; null: none')),
  date: fields.timestamp('Date of the document'),
  due_date: fields.nullable(fields.timestamp('Due date; null: none', 1_798_675_200)),
  payment_terms: fields.nullable(
    fields.text(
      'Payment terms, such as `NET 30`, `2% 10 NET 30` (a discount for early payment) or `AutoPay`',
      'NET 30',
    ),
  ),
  purchase_order: fields.unset(fields.text('Purchase order number of the customer', 'PO-1138')),
  items: fields.listOf(lineItem, 'Lines of the document'),
  notes: fields.unset(fields.text('Notes, printed at the end of the document', 'Thank you')),
  subtotal: fields.money('Sum of the lines before discounts, without taxes contained in prices', 240),
  total: fields.money('Subtotal less discounts plus taxes', 240),
  balance: fields.money('Open amount', 240),
  written_off: fields.money('Part of the total that was written off: given up, or a small difference', 0),
  write_off_reason: fields.unset(fields.text('Reason of the latest write-off of a part', 'Bank fees')),
  discounts,
  taxes,
  ship_to: shipTo,
  disabled_payment_methods: fields.textList(
    'Payment methods that the customer’s pages do not offer for it and AutoPay does not charge',
  ),
  chasing_cadence: fields.unset(
    fields.id('Id of its invoice chasing cadence; null: it is asked for by the cadence of its customer', 3),
  ),
  expected_payment_date: fields.unset(
    fields.one(
      fields.value('ExpectedPayment', 'Payment that the customer has promised', {
        date: fields.timestamp('Time at which it is expected; its whole day counts'),
        method: fields.nullable(fields.oneOf('Payment method', 'check', paymentMethods)),
        reference: fields.nullable(fields.text('Reference, such as the number of a check', '1138')),
      }),
      'Promised payment; null: none is promised',
    ),
  ),
  expected_payment_status: fields.unset(
    fields.oneOf('Whether the promised payment came; null: none is promised', 'promised', promiseStates),
  ),
  payment_plan: fields.unset(fields.id('Id of its latest payment plan; null: it never had one')),
  consolidated_into: fields.unset(fields.id('Id of the consolidated invoice that replaced it; null: none')),
  url: fields.nullable(
    fields.documentUrl('URL of its page for the customer; needs no key; null for a draft', 'invoice/77'),
  ),
  payment_url: fields.nullable(
    fields.documentUrl(
      'URL of the page on which the customer pays it; needs no key; null for a draft, and once it is paid, closed or voided',
      'invoice/77',
      '/pay',
    ),
  ),
  pdf_url: fields.nullable(fields.documentPdf('invoice/77', '; null for a draft')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
