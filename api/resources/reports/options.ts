import { declineCodes } from '../../../billing/payments/declines.ts';
import { promiseOutcomes, recoveryOutcomes } from '../../../billing/reports/collecting.ts';
import { movements, type ReportName } from '../../../billing/reports/report.ts';
import { reports } from '../../../commands/reports/reports.ts';
import { onlyOpen } from '../../../db/queries/reports/openItems.ts';
import { recoveryWays } from '../../../db/queries/reports/recovery.ts';
import { kinds } from '../../../db/queries/reports/revenue.ts';
import * as fields from '../../body/fields.ts';
import { LARGEST_ID, readDecimal, readText, readWhole, unfit } from '../../body/readers.ts';
import { isSent } from '../../body/sent.ts';

/** One of some choices, or several of them, comma-separated. */
const oneOrMore = (choices: readonly string[]): fields.Field<string> =>
  fields.field(
    (value) => {
      const given = readText(value, 200).split(',');
      const isKnown = given.every((one) => choices.includes(one));
      return isKnown ? given.join(',') : unfit(`must be of ${choices.join(', ')}, comma-separated`);
    },
    { type: 'string', maxLength: 200, examples: [choices[0] ?? ''] },
  );

/** What `read` reads, or the word `none`. */
const orNone = (read: (value: unknown) => string): fields.Field<string> =>
  fields.field((value) => ((isSent(value) ? value.text : value) === 'none' ? 'none' : read(value)), {
    type: 'string',
    maxLength: 32,
  });

const readIdText = (value: unknown): string => String(readWhole(value, 1, LARGEST_ID));
const idText = { type: 'string', pattern: '^[0-9]{1,10}$' } as const;

/** Options that reports share. */
const options: Readonly<Record<string, fields.Field<string>>> = {
  by: fields.described(fields.choice('due_date', 'date'), 'Count ages from the due date (default) or the date', 'date'),
  buckets: fields.described(fields.text(100), 'Last days of the buckets; default: `30,60,90,120`', '30,60,90'),
  ledger_account: fields.described(fields.text(300), 'Only entries of this ledger account', 'receivable'),
  movement: fields.described(
    oneOrMore(movements),
    'Only entries of receivables of this movement, or of several, comma-separated',
    'paid',
  ),
  side: fields.described(
    fields.choice('debit', 'credit'),
    'Only debits, which are positive, or credits, which are negative',
    'debit',
  ),
  group: fields.described(
    fields.choice('day', 'month'),
    'A row for each month or day; default: month for recurring revenue, else all days together',
    'day',
  ),
  bucket: fields.described(fields.text(32), 'Only this bucket', 'days_1_30'),
  only: fields.described(
    fields.choice(...onlyOpen),
    'Only invoices with a disputed payment, a promise, or a payment plan, those past their due day, or those whose payment failed and is tried again',
    'disputed',
  ),
  due_on: fields.described(
    fields.day,
    'Only invoices without a payment plan that fall due on this local day',
    '2027-03-31',
  ),
  installment_on: fields.described(fields.day, 'Only invoices with an installment on this local day', '2027-03-31'),
  promised_on: fields.described(fields.day, 'Only invoices whose payment is promised for this local day', '2027-03-31'),
  charge_on: fields.described(fields.day, 'Only invoices that will be charged on this local day', '2027-03-31'),
  books: fields.described(
    fields.choice('closed', 'open'),
    '`open`: entries count on their own days, as if no month were closed',
    'open',
  ),
  item: fields.described(fields.text(64), 'Only this item, by id; `none`: lines without an item', 'consulting'),
  plan: fields.described(fields.text(64), 'Only this plan, by id; `none`: lines without a plan', 'gold'),
  gl_account: fields.described(
    fields.text(255),
    'Only this general ledger account; `none`: revenue without an account',
    '4000',
  ),
  kind: fields.described(fields.text(32), 'Only rows of this kind', 'late_fee'),
  treatment: fields.described(
    fields.choice('taxed', 'reverse_charge', 'untaxed'),
    'Only rows of this treatment',
    'taxed',
  ),
  tax_rate: fields.described(fields.text(64), 'Only this tax rate, by id; `none`: without a rate', 'vat-19'),
  name: fields.described(fields.text(), 'Only tax rates that had this name; `none`: without a rate', 'VAT'),
  percent: fields.described(
    orNone((value) => readDecimal(value, 10)),
    'Only tax rates that had this percentage; `none`: those of an amount, and without a rate',
    '19',
  ),
  tax_behavior: fields.described(
    fields.choice('inclusive', 'exclusive', 'none'),
    'Only tax that amounts include, or that is added to them; `none`: without a rate',
    'inclusive',
  ),
  subscription: fields.described(fields.field(readIdText, idText), 'Only this subscription, by id', '42'),
  addon: fields.described(orNone(readIdText), 'Only this add-on, by id; `none`: of the plan itself', '51'),
  country: fields.described(fields.text(4), 'Only this country, by its code; `none`: unknown', 'DE'),
  state: fields.described(fields.text(255), 'Only this state; `none`: unknown', 'CA'),
};
const declines = Object.keys(declineCodes);

/** Options whose values are particular to a report. */
const ownOptions: Readonly<Partial<Record<ReportName, Readonly<Record<string, fields.Field<string>>>>>> = {
  cash_received: {
    by: fields.described(
      fields.choice('day', 'payment'),
      'A row for each day and method (default) or payment',
      'payment',
    ),
    method: fields.described(fields.text(32), 'Only payments of this method', 'check'),
  },
  promises: {
    by: fields.described(
      fields.choice('customer', 'invoice'),
      'A row for each customer (default) or promise',
      'invoice',
    ),
    outcome: fields.described(fields.choice(...promiseOutcomes), 'With `by=invoice`: only these promises', 'broken'),
  },
  recovery: {
    by: fields.described(
      fields.choice('decline_code', 'invoice'),
      'A row for each reason (default) or invoice',
      'invoice',
    ),
    outcome: fields.described(fields.choice(...recoveryOutcomes), 'With `by=invoice`: only these invoices', 'lost'),
    way: fields.described(
      fields.choice(...recoveryWays),
      'With `by=invoice`: only invoices that were recovered by charging the same source again, another source, or without a charge',
      'retry',
    ),
    decline_code: fields.described(fields.choice(...declines), 'With `by=invoice`: only this reason', 'expired'),
  },
  trial_balance: {
    by: fields.described(
      fields.choice('ledger_account', 'gl_account'),
      'Sum by ledger account (default) or general ledger account',
      'gl_account',
    ),
  },
  journal: {
    gl_account: fields.described(
      fields.text(),
      'Only entries of this general ledger account, by its code; `none`: of none',
      '4000',
    ),
  },
  mrr_movements: {
    kind: fields.described(fields.choice(...kinds), 'Only movements of this kind', 'churn'),
    cohort: fields.described(
      fields.day,
      'Only customers whose first revenue was in the month of this day',
      '2027-03-01',
    ),
    only: fields.described(fields.choice('earning'), 'Only customers with revenue at the end of the days', 'earning'),
  },
  upcoming: {
    by: fields.described(
      fields.choice('day', 'customer', 'subscription'),
      'A row for each day (default), customer, or subscription and day',
      'day',
    ),
  },
};

/** The options of a report. */
export function optionsOf(name: ReportName): Readonly<Record<string, fields.Field<string>>> {
  const { options: names, details = [] } = reports[name];
  const detail = fields.described(
    fields.choice(...details),
    'More columns, and a row for each of their values; default: none',
    details[0] ?? '',
  );
  const known: typeof options = { ...options, detail, ...ownOptions[name] };
  return Object.fromEntries(names.flatMap((one) => (known[one] ? [[one, known[one]]] : [])));
}
