import { paymentMethods } from '../../../billing/paymentMethods.ts';
import { chargeStatuses } from '../../../db/schema/charge.ts';
import * as fields from '../../framework/shape.ts';

export const refund = fields.shape('Refund', 'Money or credit that goes back to the customer', {
  id: fields.id('Id of the refund', 3),
  customer: fields.nullable(fields.id('Id of the customer; null: nobody knows who paid')),
  charge: fields.nullable(fields.id('Id of the refunded charge; null: no gateway had received the money', 5)),
  payment: fields.nullable(
    fields.id('Id of the refunded payment; null: credit was refunded, or an earlier version made the refund', 12),
  ),
  credit_balance_adjustment: fields.unset(fields.id('Id of the change of the credit balance that paid credit out')),
  currency: fields.currency(),
  amount: fields.money('Refunded amount', 4),
  convenience_fee: fields.money('Part of `amount` that was the convenience fee of the charge', 0),
  gateway: fields.nullable(fields.text('Payment gateway that sends the money; null: none', 'test')),
  gateway_id: fields.nullable(fields.text('Id of the refund at the gateway', 're_4c2d')),
  method: fields.unset(
    fields.choice(
      'Method by which the money was sent; null: the gateway sends it',
      paymentMethods[0],
      ...paymentMethods.slice(1),
    ),
  ),
  date: fields.timestamp('Time at which the money was sent or taken back'),
  reference: fields.unset(fields.text('Reference, such as the number of the check or transfer', 'TR-88')),
  returned: fields.flag(
    'True: the bank took the transfer back; it no longer pays its invoices, which are owed again',
    false,
  ),
  status: fields.oneOf(
    'Status; `pending`: the gateway has not decided yet; `failed`: the money did not leave in the end, and the payment or the credit balance has it again',
    'succeeded',
    chargeStatuses,
  ),
  uncertain: fields.flag(
    'True: the gateway has not said whether it made the refund; it is `pending` and looked up until that is certain',
    false,
  ),
  failure_message: fields.unset(
    fields.text('Reason for the failure; null: it did not fail', 'The bank account is closed.'),
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
