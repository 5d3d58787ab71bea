import { chaseActions } from '../../../billing/cadence.ts';
import * as fields from '../../framework/shape.ts';

const asked = fields.value('ForeseenBalance', 'A balance that a step would ask for', {
  currency: fields.currency(),
  balance: fields.money('Balance without unapplied money', 120),
  invoices: {
    schema: { type: 'array', items: { type: 'integer' }, description: 'Ids of the invoices' },
    example: [77],
  },
});

const step = fields.value('ForeseenChaseStep', 'A step that a customer would be asked in', {
  at: fields.timestamp('When it would be taken'),
  chase_step: fields.id('Id of the step', 12),
  name: fields.text('Name of the step', 'First reminder'),
  action: fields.oneOf('Kind of the step', 'email', chaseActions),
  balances: fields.listOf(asked, 'Balances that it would ask for, by currency'),
});

const reasons = [
  'switched_off',
  'credit_hold',
  'no_cadence',
  'paused',
  'finished',
  'nothing_open',
  'below_minimum',
  'not_past_due',
  'no_run_day',
] as const;

const customer = fields.value('ForeseenCustomer', 'A customer in the preview of a cadence', {
  customer: fields.id('Id of the customer', 4),
  steps: fields.listOf(step, 'Steps in the days ahead; empty: it is not asked'),
  reason: fields.nullable(
    fields.oneOf('Reason why no further step follows; null: one follows later', 'finished', reasons),
    null,
  ),
});

export const cadencePreview = fields.value(
  'CadencePreview',
  'Customers that follow a cadence and owe something, with the steps of the next days if nothing is paid or changed',
  {
    chasing_cadence: fields.id('Id of the chasing cadence', 3),
    customers: fields.listOf(customer, 'Customers in the order of their ids, at most 500'),
    next: fields.unset(fields.integer('Value of `after` for the next page; null: there is none', 500)),
  },
);
