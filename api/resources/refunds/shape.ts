import { chargeStatuses } from '../../../db/schema/charge.ts';
import * as fields from '../../framework/shape.ts';

export const refund = fields.shape('Refund', 'Money of a charge that goes back to the card or bank account', {
  id: fields.id('Id of the refund', 3),
  charge: fields.id('Id of the refunded charge', 5),
  currency: fields.currency(),
  amount: fields.money('Refunded amount', 4),
  convenience_fee: fields.money('Part of `amount` that was the convenience fee of the charge', 0),
  gateway: fields.text('Payment gateway of the charge', 'test'),
  gateway_id: fields.text('Id of the refund at the gateway', 're_4c2d'),
  status: fields.oneOf(
    'Status at the gateway; `pending`: it has not decided yet; `failed`: it was accepted and failed later, and the payment has the money again',
    'succeeded',
    chargeStatuses,
  ),
  failure_message: fields.unset(
    fields.text('Reason for the failure; null: it did not fail', 'The bank account is closed.'),
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
