import * as fields from '../../fields.ts';
import { object } from '../../request.ts';

export const newPaymentSource = object(
  {
    method: fields.required(fields.choice('credit_card', 'ach')),
    make_default: fields.otherwise(fields.boolean, false),
    gateway_token: fields.text(),
    service_token: fields.text(),
  },
  { readOnly: ['id', 'object'] },
);

/** The one thing about a stored source that can be changed; the gateway keeps the rest. */
export const sourceChange = object(
  { make_default: fields.otherwise(fields.boolean, false) },
  {
    readOnly: [
      ...['id', 'object', 'brand', 'last4', 'exp_month', 'exp_year', 'funding', 'updated_at'],
      ...['bank_name', 'routing_number', 'verified', 'currency'],
    ],
  },
);
