import { paymentMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../framework/shape.ts';
import { charge } from '../charges/shape.ts';

export const paymentApplication = fields.shape('PaymentApplication', 'What a part of a payment pays', {
  id: fields.id('Its id', 31),
  type: fields.choice(
    'What is paid',
    'invoice',
    'applied_credit',
    'convenience_fee',
    'credit',
    'credit_note',
    'estimate',
  ),
  amount: fields.number('How much of the payment', 240),
  invoice: fields.nullable(
    fields.id('The invoice that it pays; null: it goes to the credit balance, or to a deposit', 77),
  ),
  estimate: fields.unset(fields.id('The estimate whose deposit it pays; with an invoice: whose deposit pays that')),
  credit_note: fields.unset(fields.id('The credit note that pays')),
  document_type: fields.unset(fields.choice('What a credit pays', 'invoice', 'estimate')),
});

const fresh = fields.shape('Payment', 'Money that came in', {
  id: fields.id('Its id', 12),
  customer: fields.nullable(fields.id('Who paid; null: not known yet')),
  date: fields.timestamp('When it was paid'),
  currency: fields.currency(),
  amount: fields.number('How much', 240),
  balance: fields.number('How much of it pays nothing yet', 0),
  credit: fields.number('How much of its amount is credit that pays with it; the rest is money', 0),
  matched: fields.flag('Whether there is a suggestion for what it pays', false),
  voided: fields.flag('Whether it counts no more', false),
  method: fields.choice('How it was paid', 'check', ...paymentMethods.filter((method) => method !== 'check')),
  ach_sender_id: fields.unset(fields.text('Originator of a bank transfer', '9876543210')),
  reference: fields.nullable(fields.text('Number of the check or transfer', '1054')),
  source: fields.choice('Where it was recorded', 'keyed', 'api', 'bank_feed'),
  notes: fields.unset(fields.text('Seen by the seller alone', 'Came by mail')),
  charge: fields.unset(fields.one(charge, 'How it was processed; null: it was not')),
  pdf_url: fields.nullable(fields.documentPdf('payment/5', '; null: its money has not arrived')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});

export const payment = fields.sometimes(fresh, {
  applied_to: fields.listOf(paymentApplication, 'What it pays; only with `include=applied_to`'),
});
