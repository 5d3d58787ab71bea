import { chargeStatuses } from '../../../db/schema/charge.ts';
import * as fields from '../../framework/shape.ts';
import { chargedSource } from '../paymentSources/shape.ts';

export const charge = fields.shape('Charge', 'Money asked from a card or bank account', {
  id: fields.id('Its id', 5),
  customer: fields.id('Who was charged'),
  currency: fields.currency(),
  amount: fields.number('How much', 240),
  gateway: fields.text('Gateway that processed it', 'test'),
  gateway_id: fields.unset(fields.text('Its id at the gateway', 'ch_9f1b')),
  status: fields.oneOf('What became of it', 'succeeded', chargeStatuses),
  receipt_email: fields.unset(fields.text('Where the receipt went', 'ada@example.com')),
  failure_message: fields.unset(fields.text('Why it failed', 'The card has insufficient funds.')),
  payment_source: fields.nullable(fields.one(chargedSource, 'What was charged')),
  amount_refunded: fields.number('How much was given back', 0),
  refunded: fields.flag('Whether all of it was given back', false),
  refunds: fields.emptyList('What was given back'),
  disputed: fields.flag('Whether its owner disputes it', false),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
