import * as fields from '../../fields.ts';
import { object } from '../../request.ts';
import { applications } from '../applications.ts';

export const newCharge = object(
  {
    customer: fields.required(fields.id),
    method: fields.required(fields.choice('credit_card', 'ach')),
    currency: fields.currency,
    amount: fields.required(fields.positiveAmount),
    applied_to: fields.required(applications),
    service_token: fields.text(),
    gateway_token: fields.text(),
    payment_source_type: fields.choice('card', 'bank_account'),
    payment_source_id: fields.id,
    vault_method: fields.otherwise(fields.boolean, false),
    make_default: fields.otherwise(fields.boolean, false),
    receipt_email: fields.email,
  },
  { readOnly: ['id', 'object'] },
);
