import { chargeStatuses } from '../../../db/schema/charge.ts';
import * as fields from '../../framework/shape.ts';
import { chargedSource } from '../paymentSources/shape.ts';
import { refund } from '../refunds/shape.ts';

export const charge = fields.shape('Charge', 'Charge of a card or debit of a bank account', {
  id: fields.id('Id of the charge', 5),
  customer: fields.id('Id of the charged customer'),
  currency: fields.currency(),
  amount: fields.money('Charged amount', 240),
  convenience_fee: fields.money('Part of `amount` that is the fee for paying by credit card', 0),
  gateway: fields.text('Payment gateway that processed the charge', 'test'),
  gateway_id: fields.unset(fields.text('Id of the charge at the gateway', 'ch_9f1b')),
  status: fields.oneOf(
    'Outcome of the charge; `pending`: the gateway has not decided yet',
    'succeeded',
    chargeStatuses,
  ),
  uncertain: fields.flag(
    'True: the gateway has not said whether it made the charge; it is `pending` and looked up until that is certain',
    false,
  ),
  receipt_email: fields.unset(fields.text('Email address that the receipt was sent to', 'ada@example.com')),
  failure_message: fields.unset(
    fields.text('Reason for the failure; null: it did not fail', 'The card has insufficient funds.'),
  ),
  payment_source: fields.nullable(fields.one(chargedSource, 'Charged card or bank account')),
  amount_refunded: fields.money('Sum of the refunds that have not failed', 0),
  refunded: fields.flag('True if the charge was refunded in full', false),
  refunds: fields.listOf(refund, 'Refunds of the charge, oldest first; 100 at most'),
  disputed: fields.flag(
    'True if the owner of the card or account disputes the charge; false again once the dispute is won or withdrawn',
    false,
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
