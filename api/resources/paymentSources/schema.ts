import { sourceMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const IS_DEFAULT = 'True: AutoPay charges it from now on';

export const newPaymentSource = object(
  {
    method: fields.required(
      fields.described(fields.choice(...sourceMethods), '`credit_card`: a card; `ach`: a bank account'),
    ),
    currency: fields.described(
      fields.currency,
      'Currency in which it will be charged, which chooses the gateway: three-letter ISO 4217 code; default: the currency of the customer',
      'usd',
    ),
    make_default: fields.described(fields.withDefault(fields.boolean, false), IS_DEFAULT),
    gateway_token: fields.described(
      fields.reference,
      'Token of the gateway for the card or account, such as `tok_4242424242424242`',
    ),
    service_token: fields.described(
      fields.reference,
      'Token of a page for the card or account, made by `POST /service_tokens`; it can be used once',
    ),
  },
  { readOnly: ['id', 'object'] },
);

/** `make_default` is the only field of a stored source that can be changed. The gateway owns the others. */
export const sourceChange = object(
  { make_default: fields.kept(fields.described(fields.boolean, IS_DEFAULT)) },
  {
    readOnly: ['id', 'object', 'updated_at'],
    fixed: [
      'brand',
      'last4',
      'exp_month',
      'exp_year',
      'funding',
      'bank_name',
      'routing_number',
      'verified',
      'currency',
    ],
  },
);

export const verification = object({
  amounts: fields.required(
    fields.described(
      fields.list(fields.required(fields.positiveAmount), 2),
      'Amounts of the two small deposits on the statement of the bank account, in any order; in major currency units',
    ),
  ),
});
