import { add, zero } from '../../billing/money/money.ts';
import { promiseOutcomes, shareOf } from '../../billing/reports/collecting.ts';
import type { Asked } from '../../billing/reports/report.ts';
import {
  type PromiseRow,
  type PromisesRow,
  promisesByCustomer,
  promisesByInvoice,
} from '../../db/queries/reports/promises.ts';
import {
  count,
  currency,
  customerColumns,
  day,
  invoiceColumns,
  money,
  number,
  ofStatement,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const isByInvoice = ({ options }: Asked): boolean => options.by === 'invoice';

export const promises: ReportDefinition = {
  title: 'Promised payments',
  definition:
    'Payments that were promised for the days, by the balance of the invoice when they were promised. `kept`: the invoice was paid by the end of the promised day. `broken`: it was not. `replaced`: before the day was over, it was moved or withdrawn. `open`: the day is not over, or a payment is pending. `kept_rate`: kept / (kept + broken); null without either. Promised days are those of the zone of the invoice. A promise that is broken and then made again counts twice.',
  options: ['by', 'outcome'],
  isByCustomer: true,
  columns: (asked) =>
    isByInvoice(asked)
      ? [
          ...invoiceColumns,
          currency,
          day('promised_on', 'Promised on'),
          day('promised_for', 'Promised for'),
          text('outcome', 'Outcome'),
          money('amount', 'Promised'),
        ]
      : [
          ...customerColumns,
          currency,
          count('count', 'Promises'),
          money('promised', 'Promised'),
          ...[
            ['kept', 'Kept'] as const,
            ['broken', 'Broken'] as const,
            ['replaced', 'Moved or withdrawn'] as const,
            ['open', 'Open'] as const,
          ].flatMap(([name, title]) => [count(`${name}_count`, `${title}, promises`), money(name, title)]),
          number('kept_rate', 'Share of what was due that was kept'),
        ],
  ...ofStatement<PromisesRow | PromiseRow>(
    (asked) =>
      isByInvoice(asked) ? promisesByInvoice(asked, asked.options.outcome ?? null) : promisesByCustomer(asked),
    (row, asked) => ('counts' in row ? sumRow(asked, row) : promiseRow(row)),
  ),
};

function sumRow(asked: Asked, { customer, name, currency: code, counts, amounts }: PromisesRow) {
  const of = (outcome: (typeof promiseOutcomes)[number]) => amounts[outcome] ?? zero(code);
  const path = (more: Record<string, string>) =>
    pathOf('promises', asked, { customer, currency: code, by: 'invoice', ...more });
  const all = path({});
  return {
    cells: {
      customer,
      name,
      currency: code,
      count: promiseOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0),
      promised: add(zero(code), ...promiseOutcomes.map(of)),
      ...Object.fromEntries(promiseOutcomes.map((outcome) => [outcome, of(outcome)])),
      ...Object.fromEntries(promiseOutcomes.map((outcome) => [`${outcome}_count`, counts[outcome]])),
      kept_rate: shareOf(of('kept'), add(of('kept'), of('broken'))),
    },
    hrefs: {
      customer: `/customers/${customer}`,
      count: all,
      promised: all,
      ...Object.fromEntries(
        promiseOutcomes.flatMap((outcome) => [outcome, `${outcome}_count`].map((id) => [id, path({ outcome })])),
      ),
    },
  };
}

function promiseRow({
  customer,
  name,
  invoice,
  number: of,
  currency: code,
  madeOn,
  day: until,
  amount,
  outcome,
}: PromiseRow) {
  return {
    cells: {
      customer,
      name,
      invoice,
      number: of,
      currency: code,
      promised_on: madeOn,
      promised_for: until,
      outcome,
      amount,
    },
    hrefs: { customer: `/customers/${customer}`, invoice: `/invoices/${invoice}` },
  };
}
