import type { Asked } from '../../billing/reports/report.ts';
import { type UsageRow, usage as usageRows } from '../../db/queries/reports/usage.ts';
import {
  currency,
  customerColumns,
  day,
  daysIn,
  id,
  money,
  number,
  ofStatement,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

export const usage: ReportDefinition = {
  title: 'Usage',
  definition:
    'Units that subscriptions used in the days, by the plan whose price counted then. `reported` is `billed`, `free` in a trial and `unbilled` together. `amount` is the price before discounts and taxes of what bills have taken; it counts on the first day of the usage that the bill takes. Usage of voided invoices is unbilled again. Numbers lead to those of each day.',
  options: ['group', 'plan', 'subscription', 'addon'],
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
  ...ofStatement(usageRows, (row, asked) => {
    const { customer, subscription } = row;
    return {
      cells: { ...row },
      hrefs: {
        customer: `/customers/${customer}`,
        subscription: `/subscriptions/${subscription}`,
        ...pathsOf(asked, row),
      },
    };
  }),
};

/** Paths of the rows of each day; a row of a day has none. */
function pathsOf(
  asked: Asked,
  { period, subscription, plan, addon, currency: code }: UsageRow,
): Record<string, string> {
  if (asked.options.group === 'day') return {};
  const of = { subscription, plan, addon: addon ?? 'none', currency: code };
  const path = pathOf('usage', asked, { ...of, ...daysIn(asked, period), group: 'day' });
  return Object.fromEntries(['reported', 'billed', 'free', 'unbilled', 'amount'].map((name) => [name, path]));
}
