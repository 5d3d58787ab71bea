import * as fields from '../../framework/shape.ts';

export const lateFeeSchedule = fields.shape('LateFeeSchedule', 'Terms of late fees for past-due invoices', {
  id: fields.id('Id of the late fee schedule'),
  name: fields.text('Name of the schedule', 'Two percent a month'),
  grace_period_days: fields.integer('Days from the end of the due date to the first fee', 10),
  amount: fields.number(
    'Fee: a percentage of the overdue principal (`2` is 2 %), or an amount in major currency units',
    2,
  ),
  is_percent: fields.flag('True: `amount` is a percentage; false: an amount in `currency`', true),
  recurring_days: fields.integer('Days from each fee to the next one; 0: one fee only', 30),
  cap: fields.nullable(fields.money('Highest sum of the fees of one invoice; null: no limit', 50)),
  currency: fields.currency('Currency of an amount and of `cap`: that of the account at the creation'),
  default: fields.flag('Whether it applies to all past-due invoices of the account; at most one does', true),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
