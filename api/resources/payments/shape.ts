import { paymentMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../framework/shape.ts';
import { charge } from '../charges/shape.ts';
import { refund } from '../refunds/shape.ts';

export const paymentApplication = fields.shape('PaymentApplication', 'Application: the use of a part of a payment', {
  id: fields.id('Id of the application', 31),
  type: fields.choice(
    '`invoice`: money pays an invoice; `estimate`: money becomes a deposit; `credit`: money or a credit note goes to the credit balance; `applied_credit`: the credit balance or a deposit pays; `credit_note`: a credit note pays; `convenience_fee`: money is the fee for paying by credit card',
    'invoice',
    'applied_credit',
    'convenience_fee',
    'credit',
    'credit_note',
    'estimate',
  ),
  amount: fields.money('Amount of this application', 240),
  invoice: fields.nullable(
    fields.id('Id of the paid invoice; null: it goes to the credit balance or a deposit, or is a fee', 77),
  ),
  estimate: fields.unset(
    fields.id('Id of the estimate whose deposit it pays; together with `invoice`: whose deposit pays that invoice'),
  ),
  credit_note: fields.unset(fields.id('Id of the credit note that pays')),
  document_type: fields.unset(fields.choice('Kind of document that the credit pays', 'invoice', 'estimate')),
});

const fresh = fields.shape('Payment', 'Payment: received money or used credit, and its applications', {
  id: fields.id('Id of the payment', 12),
  customer: fields.nullable(fields.id('Id of the customer who paid; null: not known yet')),
  date: fields.timestamp('Date of the payment'),
  currency: fields.currency(),
  amount: fields.money('Amount of the payment: money plus credit', 240),
  balance: fields.money('Amount that is not applied yet', 0),
  credit: fields.money('Part of `amount` that is credit; the rest is money', 0),
  matched: fields.flag(
    'True: when it last changed, an invoice of its unapplied amount was open, or one that its reference or notes name; see `GET /payments/:id/matches`',
    false,
  ),
  voided: fields.flag('True: the payment was voided', false),
  method: fields.choice('Payment method', 'check', ...paymentMethods.filter((method) => method !== 'check')),
  ach_sender_id: fields.unset(fields.text('Sender id of a bank transfer', '9876543210')),
  reference: fields.nullable(fields.text('Reference, such as the number of the check or transfer', '1054')),
  source: fields.choice(
    'Origin of the record: `keyed`: entered by a person; `api`: by a program; `bank_feed`: from a bank feed',
    'keyed',
    'api',
    'bank_feed',
  ),
  notes: fields.unset(fields.text('Internal notes; not shown to the customer', 'Came by mail')),
  charge: fields.unset(fields.one(charge, 'Charge of the card or account; null: no charge')),
  amount_refunded: fields.money('Amount that was given back', 0),
  refunds: fields.listOf(refund, 'Refunds of the payment'),
  receipt_number: fields.nullable(
    fields.text(
      'Number of the receipt, which it gets when its money arrives; null: none has arrived, or receipts had no numbers then',
      'REC-00042',
    ),
  ),
  pdf_url: fields.nullable(fields.documentPdf('payment/5', '; null until its money has arrived')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});

export const payment = fields.sometimes(fresh, {
  applied_to: fields.listOf(paymentApplication, 'Applications of the payment; only with `include=applied_to`'),
});
