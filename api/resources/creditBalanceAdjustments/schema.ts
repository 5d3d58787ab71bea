import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'created_at', 'updated_at'];
const amount = fields.described(fields.amount, 'Positive: credit to the customer; negative: taken from it');

export const newCreditBalanceAdjustment = object(
  {
    customer: fields.required(fields.id),
    currency: fields.currency,
    amount: fields.required(amount),
    date: fields.timestamp,
    notes: fields.longText,
  },
  { readOnly },
);

export const creditBalanceAdjustmentChange = object(
  {
    customer: fields.described(fields.id, 'Stays as it is'),
    currency: fields.described(fields.kept(fields.currency), 'Stays as it is'),
    amount: fields.kept(amount),
    date: fields.kept(fields.timestamp),
    notes: fields.longText,
  },
  { readOnly },
);
