import { usage as usageRows } from '../../db/queries/reports/usage.ts';
import {
  currency,
  customerColumns,
  day,
  id,
  money,
  number,
  ofStatement,
  type ReportDefinition,
  text,
} from './definition.ts';

export const usage: ReportDefinition = {
  title: 'Usage',
  definition:
    'Units that subscriptions used in the days, by the plan whose price counted then. `reported` is `billed`, `free` in a trial and `unbilled` together. `amount` is the price before discounts and taxes of what bills have taken; it counts on the first day of the usage that the bill takes. Usage of voided invoices is unbilled again.',
  options: ['group', 'plan'],
  isByCustomer: true,
  columns: ({ options }) => [
    ...(options.group === undefined ? [] : [day('period', 'Period')]),
    ...customerColumns,
    id('subscription', 'Subscription'),
    text('plan', 'Plan'),
    id('addon', 'Add-on'),
    currency,
    number('reported', 'Reported'),
    number('billed', 'Billed'),
    number('free', 'Free'),
    number('unbilled', 'Unbilled'),
    money('amount', 'Amount'),
  ],
  ...ofStatement(usageRows, (row) => {
    const { customer, subscription } = row;
    const used = `/subscriptions/${subscription}/usage`;
    return {
      cells: { ...row },
      hrefs: {
        customer: `/customers/${customer}`,
        subscription: `/subscriptions/${subscription}`,
        reported: used,
        unbilled: used,
      },
    };
  }),
};
