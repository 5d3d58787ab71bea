import { paymentMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { applications } from '../applications.ts';

const method = fields.choice(...paymentMethods);
const source = fields.choice('keyed', 'api', 'bank_feed');
const amount = fields.described(
  fields.positiveAmount,
  'Amount of the payment: money plus credit; in major currency units',
);
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
