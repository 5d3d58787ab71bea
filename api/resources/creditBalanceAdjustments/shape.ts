import * as fields from '../../framework/shape.ts';

export const creditBalanceAdjustment = fields.shape(
  'CreditBalanceAdjustment',
  'Manual change of the credit balance of a customer',
  {
    id: fields.id('Id of the adjustment', 4),
    customer: fields.id('Id of the customer whose credit balance changes'),
    currency: fields.currency(),
    amount: fields.money('Change of the credit balance, positive or negative', 25),
    date: fields.timestamp('Date from which the change counts'),
    notes: fields.unset(fields.text('Internal notes; not shown to the customer', 'Goodwill')),
    credit_note: fields.unset(
      fields.id('Id of the credit note whose amount beyond its invoice it credits; null: it was made by hand'),
    ),
    refund: fields.unset(fields.id('Id of the refund that paid the credit out, or gave it back')),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
