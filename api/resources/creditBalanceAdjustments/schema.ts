import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'credit_note', 'refund', 'created_at', 'updated_at'];
const amount = fields.described(
  fields.amount,
  'Change of the credit balance: positive adds credit, negative removes it; in major currency units',
);

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
    customer: fields.described(fields.id, 'Cannot be changed; the current value is accepted'),
    currency: fields.described(fields.kept(fields.currency), 'Cannot be changed; the current value is accepted'),
    amount: fields.kept(amount),
    date: fields.kept(fields.timestamp),
    notes: fields.longText,
  },
  { readOnly },
);
