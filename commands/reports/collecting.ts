import { add, isZero, zero } from '../../billing/money/money.ts';
import { countbackDso, effectiveness, type MonthOfSales, simpleDso } from '../../billing/reports/collecting.ts';
import type { Asked } from '../../billing/reports/report.ts';
import { addDaysToDay, daysBetween } from '../../billing/time/calendar.ts';
import * as books from '../../db/queries/reports/books.ts';
import * as moneyRows from '../../db/queries/reports/money.ts';
import { notYetDue } from '../../db/queries/reports/openItems.ts';
import {
  currency,
  customerColumns,
  day,
  id,
  money,
  number,
  ofAll,
  ofStatement,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

export const credits: ReportDefinition = {
  title: 'Open credits',
  definition: 'Credit balances, open credit notes and deposits of estimates of each customer at the end of the day.',
  options: [],
  isByCustomer: true,
  columns: () => [
    ...customerColumns,
    currency,
    money('balance', 'Credit balance'),
    money('notes', 'Credit notes'),
    money('deposits', 'Deposits'),
    money('total', 'Total'),
  ],
  ...ofAll(moneyRows.openCredits, (row) => ({
    cells: { ...row, total: add(row.balance, row.notes, row.deposits) },
    hrefs: { customer: `/customers/${row.customer}` },
  })),
};

export const refundsAndDisputes: ReportDefinition = {
  title: 'Refunds, returns and disputes',
  definition:
    'Money of payments that went back on each of the days: refunds, returned debits and disputes. What came back of it is negative; a refund of credit has no payment. `held`: what banks hold at the end of the days because of open disputes, which is not lost yet: a row of the kind `open_dispute`, on the day on which they took it.',
  options: [],
  isByCustomer: true,
  columns: () => [
    ...customerColumns,
    id('payment', 'Payment'),
    day('date', 'Date'),
    text('kind', 'Kind'),
    text('method', 'Method'),
    currency,
    money('amount', 'Amount'),
    money('held', 'Held by banks'),
  ],
  ...ofStatement(moneyRows.moneyBack, (row) => ({
    cells: { ...row },
    hrefs: row.payment === null ? {} : { payment: `/payments/${row.payment}` },
  })),
};

/** Months that countback looks at before the end of the days. */
const MOST_MONTHS = 36;

export const dso: ReportDefinition = {
  title: 'Days sales outstanding',
  definition:
    '`dso`: receivables at the end of the last day / invoiced in the days x number of days. `countback`: how many of the last days invoiced as much as is open, at most 36 months. `effectiveness`: (opening + invoiced - closing) / (opening + invoiced - closing that is not due). Null where there is nothing to divide by.',
  options: [],
  isByCustomer: true,
  columns: () => [
    currency,
    money('opening', 'Opening'),
    money('invoiced', 'Invoiced'),
    money('closing', 'Closing'),
    money('not_due', 'Closing, not due'),
    number('dso', 'DSO, days'),
    number('countback', 'DSO by countback, days'),
    number('effectiveness', 'Collection effectiveness'),
  ],
  rows: async (em, asked) => {
    const forward = await books.rollForwardWithSales(em, asked);
    const notDue = new Map((await notYetDue(em, asked)).map((row) => [row.currency, row.amount]));
    const { firstDay, lastDay } = asked.days;
    const days = daysBetween(firstDay, lastDay) + 1;
    return forward.map(({ currency: code, opening, sums, closing, sales }) => {
      const invoiced = add(sums.invoiced, sums.fees, sums.voided);
      const open = { opening, invoiced, closing, notDue: notDue.get(code) ?? zero(code) };
      return {
        cells: {
          currency: code,
          opening,
          invoiced,
          closing,
          not_due: open.notDue,
          dso: simpleDso({ receivables: closing, sales: invoiced, days }),
          countback: isZero(closing) ? '0' : countbackDso(closing, latestFirst(sales, lastDay)),
          effectiveness: effectiveness(open),
        },
        hrefs: {
          opening: pathOf('open_items', asked, { currency: code, as_of: addDaysToDay(firstDay, -1) }),
          invoiced: pathOfInvoiced(asked, code),
          closing: pathOf('open_items', asked, { currency: code }),
          not_due: pathOf('open_items', asked, { currency: code, bucket: 'not_due' }),
        },
      };
    });
  },
};

/** The path of the entries that are invoiced. */
const pathOfInvoiced = (asked: Asked, code: string): string =>
  pathOf('journal', asked, { currency: code, movement: 'invoiced,fees,voided', books: 'open' });

/** The months before a day, latest first, each with its sales and its days until that day; months without sales too. */
function latestFirst(salesOf: Readonly<Record<string, string>>, lastDay: string): MonthOfSales[] {
  const months: MonthOfSales[] = [];
  let end = addDaysToDay(lastDay, 1);
  for (let count = 0; count < MOST_MONTHS; count++) {
    const first = `${addDaysToDay(end, -1).slice(0, 7)}-01`;
    months.push({ sales: salesOf[first] ?? '0', days: daysBetween(first, end) });
    end = first;
  }
  return months;
}
