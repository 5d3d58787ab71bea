import * as fields from '../../framework/shape.ts';

export const creditBalanceAdjustment = fields.shape(
  'CreditBalanceAdjustment',
  'Credit balance of a customer, raised or lowered by hand',
  {
    id: fields.id('Its id', 4),
    customer: fields.id('Whose credit balance'),
    currency: fields.currency(),
    amount: fields.number('How much; positive is credit to the customer', 25),
    date: fields.timestamp('When it counts'),
    notes: fields.unset(fields.text('Seen by the seller alone', 'Goodwill')),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
