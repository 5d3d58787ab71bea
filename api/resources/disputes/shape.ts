import { disputeStatuses } from '../../../db/schema/dispute.ts';
import * as fields from '../../framework/shape.ts';

export const dispute = fields.shape('Dispute', 'Money of a charge that the bank of its payer holds or took back', {
  id: fields.id('Id of the dispute', 2),
  charge: fields.id('Id of the disputed charge', 5),
  currency: fields.currency(),
  amount: fields.money('Disputed amount, which the bank holds while the dispute is open', 100),
  amount_lost: fields.money('The part of the amount that the bank kept; 0 while the dispute is open', 0),
  fee: fields.money('Fee that the gateway charged for the dispute; 0: none, or it was given back', 15),
  gateway: fields.text('Payment gateway of the charge', 'test'),
  gateway_id: fields.text('Id of the dispute at the gateway', 'dp_4c2d'),
  status: fields.oneOf(
    'Status of the dispute; `partial`: the bank kept a part of the amount; `withdrawn`: the payer took the dispute back',
    'open',
    disputeStatuses,
  ),
  reason: fields.text('Reason, in a word of the gateway', 'fraudulent'),
  evidence_due_at: fields.unset(
    fields.timestamp('Time until which the gateway takes evidence; null: it told none', 1_790_000_000),
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
