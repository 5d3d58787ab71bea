import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import { Charge } from '../../../db/schema/charge.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { PaymentApplication } from '../../../db/schema/paymentApplication.ts';
import { presentApplications, presentPayment } from '../../../present/payments/payment.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import type { Part, PresentedKind } from '../../framework/kind.ts';
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
import { presentedRelation, relation } from '../../reading/expand.ts';
import { applications } from '../applications.ts';
import { charge } from '../charges/resource.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { customers } from '../customers/resource.ts';
import { ofNumber } from '../documents/fields.ts';
import { estimates } from '../estimates/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { refund } from '../refunds/shape.ts';

export const paymentApplication = shown.shape('PaymentApplication', 'Application: the use of a part of a payment', {
  id: shown.id('Id of the application', 31),
  type: shown.choice(
    '`invoice`: money pays an invoice; `estimate`: money becomes a deposit; `credit`: money or a credit note goes to the credit balance; `applied_credit`: the credit balance or a deposit pays; `credit_note`: a credit note pays; `convenience_fee`: money is the fee for paying by credit card',
    'invoice',
    'applied_credit',
    'convenience_fee',
    'credit',
    'credit_note',
    'estimate',
  ),
  amount: shown.money('Amount of this application', 240),
  invoice: shown.nullable(
    shown.id('Id of the paid invoice; null: it goes to the credit balance or a deposit, or is a fee', 77),
  ),
  estimate: shown.unset(
    shown.id('Id of the estimate whose deposit it pays; together with `invoice`: whose deposit pays that invoice'),
  ),
  credit_note: shown.unset(shown.id('Id of the credit note that pays')),
  document_type: shown.unset(shown.choice('Kind of document that the credit pays', 'invoice', 'estimate')),
});

/** A payment without its applications. */
export const paymentItself = shown.shape('Payment', 'Payment: received money or used credit, and its applications', {
  id: shown.id('Id of the payment', 12),
  customer: shown.nullable(shown.id('Id of the customer who paid; null: not known yet')),
  date: shown.timestamp('Date of the payment'),
  currency: shown.currency(),
  amount: shown.money('Amount of the payment: money plus credit', 240),
  balance: shown.money('Amount that is not applied yet', 0),
  credit: shown.money('Part of `amount` that is credit; the rest is money', 0),
  matched: shown.flag(
    'True: when it last changed, an invoice of its unapplied amount was open, or one that its reference or notes name; see `GET /payments/:id/matches`',
    false,
  ),
  voided: shown.flag('True: the payment was voided', false),
  method: shown.choice('Payment method', 'check', ...paymentMethods.filter((method) => method !== 'check')),
  ach_sender_id: shown.unset(shown.text('Sender id of a bank transfer', '9876543210')),
  reference: shown.nullable(shown.text('Reference, such as the number of the check or transfer', '1054')),
  source: shown.choice(
    'Origin of the record: `keyed`: entered by a person; `api`: by a program; `bank_feed`: from a bank feed',
    'keyed',
    'api',
    'bank_feed',
  ),
  notes: shown.unset(shown.text('Internal notes; not shown to the customer', 'Came by mail')),
  charge: shown.unset(shown.one(charge, 'Charge of the card or account; null: no charge')),
  amount_refunded: shown.money('Amount that was given back', 0),
  refunds: shown.listOf(refund, 'Refunds of the payment'),
  receipt_number: shown.nullable(
    shown.text(
      'Number of the receipt, which it gets when its money arrives; null: none has arrived, or receipts had no numbers then',
      'REC-00042',
    ),
  ),
  pdf_url: shown.nullable(shown.documentPdf('payment/5', '; null until its money has arrived')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

export const payment = shown.sometimes(paymentItself, {
  applied_to: shown.listOf(paymentApplication, 'Applications of the payment; only with `include=applied_to`'),
});

const ofCharge: PresentedKind = {
  shape: charge,
  relations: { customer: presentedRelation(() => customers, 'customer') },
};

export const ofApplication: PresentedKind = {
  shape: paymentApplication,
  relations: {
    invoice: presentedRelation(() => invoices, 'invoice'),
    estimate: presentedRelation(() => estimates, 'estimate'),
    credit_note: presentedRelation(() => creditNotes, 'credit_note'),
  },
};

/** Nested objects of a payment: its charge and its applications. */
const parts: Readonly<Record<string, Part>> = {
  charge: { to: () => ofCharge },
  applied_to: { to: () => ofApplication },
};

const method = fields.choice(...paymentMethods);
const source = fields.choice('keyed', 'api', 'bank_feed');
const amount = fields.positiveAmount;
const readOnly = [
  'id',
  'object',
  'balance',
  'credit',
  'matched',
  'voided',
  'charge',
  'amount_refunded',
  'refunds',
  'receipt_number',
  'pdf_url',
  'created_at',
  'updated_at',
];

export const newPayment = object(
  {
    customer: fields.id,
    date: fields.timestamp,
    method: fields.withDefault(method, 'other'),
    currency: fields.currency,
    amount: fields.required(amount),
    reference: fields.reference,
    ach_sender_id: fields.reference,
    source: fields.withDefault(source, 'keyed'),
    notes: fields.longText,
    applied_to: applications,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

export const paymentChange = object(
  {
    customer: fields.id,
    date: fields.kept(fields.timestamp),
    method: fields.resettable(method, 'other'),
    currency: fields.kept(fields.currency),
    amount: fields.kept(amount),
    reference: fields.reference,
    ach_sender_id: fields.reference,
    source: fields.resettable(source, 'keyed'),
    notes: fields.longText,
    applied_to: applications,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly },
);

export const payments: Resource<Payment, 'id'> = {
  name: 'Payment',
  area: 'payments',
  shape: payment,
  row: Payment,
  idColumn: 'id',
  metadata: true,
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    'customer.name': byCustomerName(true),
    method: filtered('method', fields.choice(...paymentMethods)),
    currency: filtered('currency', fields.currency),
    voided: filtered('voided', fields.boolean),
    matched: filtered('matched', fields.boolean),
    reference: filtered('reference', fields.text()),
    charge: filtered('charge_id', fields.id),
    source: filtered('source', fields.text()),
    receipt_number: { sort: null, filter: ofNumber('receipt_number_key') },
    amount: amounts('amount'),
    balance: amounts('balance'),
    date: sorted('date'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...updatedBetween,
  },
  present: async (reading, rows) => {
    const ids = rows.flatMap(({ charge }) => (charge ? [charge.id] : []));
    const charges = await reading.byId(Charge, ids);
    return rows.map((row) => presentPayment(row, charges.get(row.charge?.id ?? 0) ?? null));
  },
  parts,
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer?.id ?? null,
    ),
  },
  includes: {
    applied_to: {
      area: 'payments',
      read: async (reading, rows) => {
        const ids = rows.map(({ id }) => id);
        const applied = await reading.children(PaymentApplication, { column: 'payment_id', ids, orderBy: 'id' });
        return rows.map((row) => presentApplications(applied.get(row.id) ?? []));
      },
    },
  },
};
