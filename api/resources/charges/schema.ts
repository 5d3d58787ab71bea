import { sourceMethods, sourceTypes } from '../../../billing/paymentMethods.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { applications } from '../applications.ts';

export const newCharge = object(
  {
    customer: fields.required(fields.described(fields.id, 'Id of the customer to charge')),
    method: fields.required(
      fields.described(fields.choice(...sourceMethods), '`credit_card`: charge a card; `ach`: debit a bank account'),
    ),
    currency: fields.currency,
    amount: fields.required(fields.described(fields.positiveAmount, 'Amount to charge; in major currency units')),
    applied_to: fields.required(applications),
    service_token: fields.described(
      fields.reference,
      'Token of a page for the card or account to charge, made by `POST /service_tokens`; it can be used once',
    ),
    gateway_token: fields.described(
      fields.reference,
      'Token of the gateway for the card or account to charge, such as `tok_4242424242424242`',
    ),
    payment_source_type: fields.described(
      fields.choice(...sourceTypes),
      'Kind of the stored source in `payment_source_id`',
    ),
    payment_source_id: fields.described(fields.id, 'Id of the stored card or bank account to charge'),
    vault_method: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: store the card or account of the token',
    ),
    make_default: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: AutoPay charges the stored card or account from now on; needs `vault_method`',
    ),
    receipt_email: fields.described(
      fields.email,
      'Email address for the receipt; default: the address of the customer',
    ),
  },
  { readOnly: ['id', 'object'] },
);
