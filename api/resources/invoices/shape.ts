import { promiseStates } from '../../../billing/collection/promise.ts';
import { invoiceStatuses } from '../../../billing/documents/invoice.ts';
import { paymentFailureCodes } from '../../../billing/payments/declines.ts';
import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import * as shown from '../../framework/shape.ts';
import { lineItem, shownDiscounts, shownShipTo, shownTaxes } from '../documents/shape.ts';

const state = {
  draft: shown.flag('True until it is issued', false),
  closed: shown.flag('True: nothing more is collected, because it was paid, voided or written off', false),
  paid: shown.flag('True: it is paid in full', false),
  status: shown.oneOf('Status of the invoice', 'not_sent', invoiceStatuses),
  attempt_count: shown.integer('Number of automatic charges with an outcome', 0),
  next_payment_attempt: shown.unset(shown.timestamp('Time of the next automatic charge; null: none is planned')),
  payment_failure: shown.unset(
    shown.one(
      shown.value('PaymentFailure', 'Failure of the last automatic payment of an invoice', {
        code: shown.oneOf(
          'Code of the failure: a `decline_code`, `gateway_unavailable` or `gateway_refused`',
          'expired',
          Object.keys(paymentFailureCodes),
        ),
        message: shown.nullable(shown.text('Words of the gateway, for people', 'Your card has expired.')),
        at: shown.timestamp('Time of the failure'),
        next_attempt: shown.nullable(shown.timestamp('Time of the next automatic charge; null: none is planned')),
      }),
      'Failure of the last automatic payment; null: it did not fail, none was tried, or the invoice is closed',
    ),
  ),
};

export const invoice = shown.shape('Invoice', 'Invoice: an amount that a customer owes', {
  id: shown.id('Id of the invoice', 77),
  customer: shown.id('Id of the customer'),
  name: shown.text('Internal name; not printed', 'Invoice'),
  number: shown.nullable(shown.text('Number of the document; null for a draft without one', 'INV-00001')),
  autopay: shown.flag('True: it is charged automatically (AutoPay)', false),
  currency: shown.currency(),
  ...state,
  subscription: shown.unset(shown.id('Id of the subscription that it bills; null: none')),
  date: shown.timestamp('Date of the document'),
  due_date: shown.nullable(shown.timestamp('Due date; null: none', 1_798_675_200)),
  payment_terms: shown.nullable(
    shown.text('Payment terms, such as `NET 30`, `2% 10 NET 30` (a discount for early payment) or `AutoPay`', 'NET 30'),
  ),
  purchase_order: shown.unset(shown.text('Purchase order number of the customer', 'PO-1138')),
  items: shown.listOf(lineItem, 'Lines of the document'),
  notes: shown.unset(shown.text('Notes, printed at the end of the document', 'Thank you')),
  subtotal: shown.money('Sum of the lines before discounts, without taxes contained in prices', 240),
  total: shown.money('Subtotal less discounts plus taxes', 240),
  balance: shown.money('Open amount', 240),
  written_off: shown.money('Part of the total that was written off: given up, or a small difference', 0),
  write_off_reason: shown.unset(shown.text('Reason of the latest write-off of a part', 'Bank fees')),
  discounts: shownDiscounts,
  taxes: shownTaxes,
  ship_to: shownShipTo,
  disabled_payment_methods: shown.textList(
    'Payment methods that the customer’s pages do not offer for it and AutoPay does not charge',
  ),
  chasing_cadence: shown.unset(
    shown.id('Id of its invoice chasing cadence; null: it is asked for by the cadence of its customer', 3),
  ),
  expected_payment_date: shown.unset(
    shown.one(
      shown.value('ExpectedPayment', 'Payment that the customer has promised', {
        date: shown.timestamp('Time at which it is expected; its whole day counts'),
        method: shown.nullable(shown.oneOf('Payment method', 'check', paymentMethods)),
        reference: shown.nullable(shown.text('Reference, such as the number of a check', '1138')),
      }),
      'Promised payment; null: none is promised',
    ),
  ),
  expected_payment_status: shown.unset(
    shown.oneOf('Whether the promised payment came; null: none is promised', 'promised', promiseStates),
  ),
  disputed_lines: shown.listOf(
    shown.value('DisputedLine', 'Line of an invoice that its customer disputes', {
      line_item: shown.id('Id of the line', 21),
      reason: shown.text('Reason in the words of the customer', 'We returned these goods'),
      created_at: shown.createdAt,
    }),
    'Lines that the customer disputes, the earliest first',
  ),
  dispute_hold_until: shown.unset(
    shown.timestamp('Until when nobody asks for it because of a disputed line; null: no line was disputed'),
  ),
  payment_plan: shown.unset(shown.id('Id of its latest payment plan; null: it never had one')),
  consolidated_into: shown.unset(shown.id('Id of the consolidated invoice that replaced it; null: none')),
  url: shown.nullable(
    shown.documentUrl('URL of its page for the customer; needs no key; null for a draft', 'invoice/77'),
  ),
  payment_url: shown.nullable(
    shown.documentUrl(
      'URL of the page on which the customer pays it; needs no key; null for a draft, and once it is paid, closed or voided',
      'invoice/77',
      '/pay',
    ),
  ),
  pdf_url: shown.nullable(shown.documentPdf('invoice/77', '; null for a draft')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});
