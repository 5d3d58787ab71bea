import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import { chargeStatuses } from '../../../db/schema/charge.ts';
import * as shown from '../../framework/shape.ts';

export const refund = shown.shape('Refund', 'Money or credit that goes back to the customer', {
  id: shown.id('Id of the refund', 3),
  customer: shown.nullable(shown.id('Id of the customer; null: nobody knows who paid')),
  charge: shown.nullable(shown.id('Id of the refunded charge; null: no gateway had received the money', 5)),
  payment: shown.nullable(
    shown.id('Id of the refunded payment; null: credit was refunded, or an earlier version made the refund', 12),
  ),
  credit_balance_adjustment: shown.unset(shown.id('Id of the change of the credit balance that paid credit out')),
  currency: shown.currency(),
  amount: shown.money('Refunded amount', 4),
  convenience_fee: shown.money('Part of `amount` that was the convenience fee of the charge', 0),
  gateway: shown.nullable(shown.text('Payment gateway that sends the money; null: none', 'test')),
  gateway_id: shown.nullable(shown.text('Id of the refund at the gateway', 're_4c2d')),
  method: shown.unset(
    shown.choice(
      'Method by which the money was sent; null: the gateway sends it',
      paymentMethods[0],
      ...paymentMethods.slice(1),
    ),
  ),
  date: shown.timestamp('Time at which the money was sent or taken back'),
  reference: shown.unset(shown.text('Reference, such as the number of the check or transfer', 'TR-88')),
  returned: shown.flag(
    'True: the bank took the transfer back; it no longer pays its invoices, which are owed again',
    false,
  ),
  status: shown.oneOf(
    'Status; `pending`: the gateway has not decided yet; `failed`: the money did not leave in the end, and the payment or the credit balance has it again',
    'succeeded',
    chargeStatuses,
  ),
  uncertain: shown.flag(
    'True: the gateway has not said whether it made the refund; it is `pending` and looked up until that is certain',
    false,
  ),
  failure_message: shown.unset(
    shown.text('Reason for the failure; null: it did not fail', 'The bank account is closed.'),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});
