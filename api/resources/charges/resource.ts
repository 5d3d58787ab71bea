import { sourceMethods, sourceTypes } from '../../../billing/payments/paymentMethods.ts';
import { Charge, chargeStatuses } from '../../../db/schema/charge.ts';
import { presentCharge } from '../../../present/payments/charge.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { between, column, filtered, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { relation } from '../../reading/expand.ts';
import { applications } from '../applications.ts';
import { customers } from '../customers/resource.ts';
import { chargedSource } from '../paymentSources.ts';
import { refund } from '../refunds/shape.ts';

export const charge = shown.shape('Charge', 'Charge of a card or debit of a bank account', {
  id: shown.id('Id of the charge', 5),
  customer: shown.id('Id of the charged customer'),
  currency: shown.currency(),
  amount: shown.money('Charged amount', 240),
  convenience_fee: shown.money('Part of `amount` that is the fee for paying by credit card', 0),
  gateway: shown.text('Payment gateway that processed the charge', 'test'),
  gateway_id: shown.unset(shown.text('Id of the charge at the gateway', 'ch_9f1b')),
  status: shown.oneOf('Outcome of the charge; `pending`: the gateway has not decided yet', 'succeeded', chargeStatuses),
  uncertain: shown.flag(
    'True: the gateway has not said whether it made the charge; it is `pending` and looked up until that is certain',
    false,
  ),
  receipt_email: shown.unset(shown.text('Email address that the receipt was sent to', 'ada@example.com')),
  failure_message: shown.unset(
    shown.text('Reason for the failure; null: it did not fail', 'The card has insufficient funds.'),
  ),
  payment_source: shown.nullable(shown.one(chargedSource, 'Charged card or bank account')),
  amount_refunded: shown.money('Sum of the refunds that have not failed', 0),
  refunded: shown.flag('True if the charge was refunded in full', false),
  refunds: shown.listOf(refund, 'Refunds of the charge, oldest first; 100 at most'),
  disputed: shown.flag(
    'True if the owner of the card or account disputes the charge; false again once the dispute is won or withdrawn',
    false,
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

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

/** Columns of charges and of refunds: both are operations of a gateway. */
export const operationColumns = {
  status: filtered('status', fields.choice(...chargeStatuses)),
  currency: filtered('currency', fields.currency),
  gateway: filtered('gateway', fields.text()),
  gateway_id: filtered('gateway_id', fields.text()),
  created_at: sorted('created_at'),
  updated_at: sorted('updated_at'),
};

export const operationParameters = {
  ...between('created_at', fields.timestamp, ['start_date', 'end_date']),
  ...updatedBetween,
};

export const charges: Resource<Charge, 'id'> = {
  name: 'Charge',
  area: 'payments',
  shape: charge,
  row: Charge,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    ...operationColumns,
  },
  parameters: operationParameters,
  present: async (_reading, rows) => rows.map(presentCharge),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
  },
};
