import { paymentMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

export const newRefund = object(
  {
    amount: fields.required(
      fields.described(
        fields.positiveAmount,
        'Amount to refund, at most what earlier refunds left of the charge; in major currency units',
      ),
    ),
  },
  { readOnly: ['id', 'object'] },
);

const readOnly = [
  'id',
  'object',
  'charge',
  'credit_balance_adjustment',
  'convenience_fee',
  'gateway',
  'gateway_id',
  'status',
  'failure_message',
  'created_at',
  'updated_at',
];

export const newMoneyOut = object(
  {
    payment: fields.described(fields.id, 'Id of the payment whose money went back'),
    customer: fields.described(
      fields.id,
      'Without `payment`: id of the customer to whom credit of its credit balance was paid out',
    ),
    currency: fields.described(
      fields.currency,
      'Currency of the credit; by default that of the customer; of a payment: that of the payment',
    ),
    amount: fields.required(
      fields.described(
        fields.positiveAmount,
        'Amount that went back, at most what is left of the payment or of the credit; in major currency units',
      ),
    ),
    method: fields.required(fields.choice(...paymentMethods)),
    date: fields.described(
      fields.timestamp,
      'Time at which the money was sent or taken back, by default now; UNIX time in seconds',
    ),
    reference: fields.reference,
    returned: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: the bank took the transfer of the payment back; its invoices are owed again',
    ),
  },
  { readOnly },
);
