import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { applications } from '../applications.ts';

export const newCharge = object(
  {
    customer: fields.required(fields.described(fields.id, 'Who is charged')),
    method: fields.required(fields.described(fields.choice('credit_card', 'ach'), 'A card, or a bank account')),
    currency: fields.currency,
    amount: fields.required(fields.positiveAmount),
    applied_to: fields.required(applications),
    service_token: fields.described(fields.text(), 'Not supported yet'),
    gateway_token: fields.described(fields.reference, 'Token of the gateway for what is charged'),
    payment_source_type: fields.described(fields.choice('card', 'bank_account'), 'What the stored source is'),
    payment_source_id: fields.described(fields.id, 'The stored source to charge'),
    vault_method: fields.described(
      fields.otherwise(fields.boolean, false),
      'Whether to store what the token stands for',
    ),
    make_default: fields.described(
      fields.otherwise(fields.boolean, false),
      'Whether AutoPay charges it from now on; with `vault_method`',
    ),
    receipt_email: fields.described(fields.email, 'Where the receipt goes'),
  },
  { readOnly: ['id', 'object'] },
);
