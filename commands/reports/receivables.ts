import { add, subtract } from '../../billing/money/money.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { type AgedBy, type Bucket, bucketsOf, readBounds } from '../../billing/reports/aging.ts';
import { type Asked, movements } from '../../billing/reports/report.ts';
import { addDaysToDay } from '../../billing/time/calendar.ts';
import * as books from '../../db/queries/reports/books.ts';
import * as moneyRows from '../../db/queries/reports/money.ts';
import {
  type AgedRow,
  agedReceivables,
  aheadOptions,
  onlyOpen,
  openItems,
  summedOpen,
} from '../../db/queries/reports/openItems.ts';
import { type OwnMoneyRow, ownMoney } from '../../db/queries/reports/receivables.ts';
import {
  count,
  currency,
  customerColumns,
  day,
  id,
  integer,
  invoiceColumns,
  money,
  ofAll,
  ofStatement,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const agedBy = ({ options }: Asked): AgedBy => (options.by === 'date' ? 'date' : 'due_date');
const bucketsIn = (asked: Asked) => bucketsOf(readBounds(asked.options.buckets), agedBy(asked));

export const aging: ReportDefinition = {
  title: 'Aging of receivables',
  definition:
    'Open balances of issued invoices at the end of the day, by local days since their due date or date. Each day is in one bucket. `disputed`, `promised` and `on_plan` repeat amounts of the buckets. `net` is the total less unapplied payments and credits.',
  options: ['by', 'buckets'],
  isByCustomer: true,
  columns: (asked) => [
    ...customerColumns,
    text('number', 'Number'),
    currency,
    ...bucketsIn(asked).map(({ id, title }) => money(id, title)),
    money('total', 'Total'),
    money('unapplied', 'Unapplied payments'),
    money('credits', 'Credits'),
    money('net', 'Net'),
    money('disputed', 'Disputed'),
    money('promised', 'Promised'),
    money('on_plan', 'On a payment plan'),
  ],
  ...ofAll(
    async (em, asked) => {
      const buckets = bucketsIn(asked);
      const owed = await agedReceivables(em, asked, { by: agedBy(asked), buckets });
      return joined(owed, await ownMoney(em, asked), buckets);
    },
    ({ customer, name, number, currency: code, sums, total, ...rest }, asked) => {
      const of = { customer, currency: code };
      const items = (bucket: string) => pathOf('open_items', asked, { ...of, ...asked.options, bucket });
      const { disputed, promised, onPlan, unapplied: money, credits } = rest;
      const net = subtract(total, add(money, credits));
      return {
        cells: {
          ...of,
          name,
          number,
          ...sums,
          total,
          unapplied: money,
          credits,
          net,
          disputed,
          promised,
          on_plan: onPlan,
        },
        hrefs: {
          customer: `/customers/${customer}`,
          ...Object.fromEntries(bucketsIn(asked).map(({ id }) => [id, items(id)])),
          total: pathOf('open_items', asked, { ...of, by: agedBy(asked) }),
          unapplied: pathOf('unapplied', asked, of),
          credits: pathOf('credits', asked, of),
          ...Object.fromEntries(summedOpen.map((only) => [only, pathOf('open_items', asked, { ...of, only })])),
        },
      };
    },
  ),
};

/** What customers owe beside their own money, a row for each customer and currency, by currency and name. */
function joined(owed: readonly AgedRow[], own: readonly OwnMoneyRow[], buckets: readonly Bucket[]) {
  const keyOf = ({ customer, currency: code }: { customer: number; currency: string }) => `${code} ${customer}`;
  const nothing = { total: '0', disputed: '0', promised: '0', onPlan: '0', unapplied: '0', credits: '0' };
  const sums = Object.fromEntries(buckets.map(({ id }) => [id, '0']));
  const rows = new Map(owed.map((row) => [keyOf(row), { ...nothing, ...row }]));
  for (const row of own) rows.set(keyOf(row), { ...nothing, sums, ...rows.get(keyOf(row)), ...row });
  return [...rows.values()].sort(
    (one, other) =>
      one.currency.localeCompare(other.currency) || one.name.localeCompare(other.name) || one.customer - other.customer,
  );
}

/** The bucket that is asked for; null: all. */
function wantedBucket(asked: Asked): Bucket | null {
  const { bucket: wanted } = asked.options;
  if (wanted === undefined) return null;
  const buckets = bucketsIn(asked);
  const bucket = buckets.find(({ id }) => id === wanted);
  if (bucket) return bucket;
  const known = buckets.map(({ id }) => id).join(', ');
  throw new Refusal('parameter_invalid', `Bucket must be one of ${known}: ${cut(wanted)}`, 'bucket');
}

/** Whether invoices are asked for by their automatic charges. */
const isOfCharges = ({ options }: Asked): boolean => options.only === 'retrying' || options.charge_on !== undefined;

const chargeColumns = [
  day('next_attempt', 'Next attempt'),
  integer('attempts', 'Attempts'),
  text('failure', 'Last failure'),
];

export const openItemsReport: ReportDefinition = {
  title: 'Open items',
  definition:
    'Issued invoices with a balance at the end of the day, oldest first. The amounts of `aging` are their sums. Those that are charged on a day, or again, have the next attempt and the last failure as they are now.',
  options: ['by', 'buckets', 'bucket', 'only', ...aheadOptions],
  isByCustomer: true,
  columns: (asked) => {
    wantedBucket(asked);
    return [
      ...invoiceColumns,
      currency,
      day('date', 'Date'),
      day('due_date', 'Due date'),
      integer('age', 'Age in days'),
      money('amount', 'Open'),
      money('disputed', 'Disputed'),
      money('promised', 'Promised'),
      money('on_plan', 'On a payment plan'),
      ...(isOfCharges(asked) ? chargeColumns : []),
    ];
  },
  ...ofStatement(
    (asked) => {
      const only = onlyOpen.find((one) => one === asked.options.only) ?? null;
      return openItems(asked, { by: agedBy(asked), bucket: wantedBucket(asked), only });
    },
    (item, asked) => {
      const { customer, name, invoice, number, currency: code, age, amount, nextAttempt, attempts, failure } = item;
      const part = (is: boolean) => (is ? amount : '0');
      return {
        cells: {
          customer,
          name,
          invoice,
          number,
          currency: code,
          date: item.day,
          due_date: item.dueDay,
          age,
          amount,
          disputed: part(item.isDisputed),
          promised: part(item.isPromised),
          on_plan: part(item.isOnPlan),
          ...(isOfCharges(asked) ? { next_attempt: nextAttempt, attempts, failure } : {}),
        },
        hrefs: { customer: `/customers/${customer}`, invoice: `/invoices/${invoice}` },
      };
    },
  ),
};

/** Paths of the entries of each movement. */
function movementPaths(asked: Asked, code: string): Record<string, string> {
  const pathTo = (movement: string) => pathOf('journal', asked, { currency: code, movement, books: 'open' });
  return Object.fromEntries(movements.map((movement) => [movement, pathTo(movement)]));
}

export const rollForward: ReportDefinition = {
  title: 'Roll-forward of receivables',
  definition:
    'Receivables of each currency before the first day, what moved them, and at the end of the last day: `closing` is `opening` plus all columns between. `paid` and `credited` are applications to invoices less corrections, `returned` is paid money that went back; money that is not applied is not in it. `discounts`: early-payment discounts that a credit note grants; one that the invoice itself has was never owed. `other`: early-payment discounts of invoices that were lost, which are owed again.',
  options: [],
  isByCustomer: true,
  columns: () => [
    currency,
    money('opening', 'Opening'),
    money('invoiced', 'Invoiced'),
    money('fees', 'Late fees'),
    money('discounts', 'Early-payment discounts taken'),
    money('credited', 'Credited'),
    money('voided', 'Voided'),
    money('paid', 'Paid'),
    money('returned', 'Refunded or returned'),
    money('written_off', 'Written off'),
    money('other', 'Other, such as lost discounts'),
    money('closing', 'Closing'),
  ],
  rows: async (em, asked) => {
    const found = await books.rollForward(em, asked);
    return found.map(({ currency: code, opening, sums, closing }) => ({
      cells: { currency: code, opening, ...sums, closing },
      hrefs: {
        opening: pathOf('open_items', asked, { currency: code, as_of: addDaysToDay(asked.days.firstDay, -1) }),
        ...movementPaths(asked, code),
        closing: pathOf('open_items', asked, { currency: code }),
      },
    }));
  },
};

export const cashReceived: ReportDefinition = {
  title: 'Cash received',
  definition:
    'Money that came in and went out, by local day and method of the payment, from the entries of cash and of the gateways. A corrected or voided payment counts as it is now. `net` is `received` less `returned`, before fees. `by=payment` has a row for each payment.',
  options: ['by', 'method'],
  isByCustomer: true,
  columns: (asked) => [
    day('date', 'Date'),
    text('method', 'Method'),
    currency,
    ...(isByPayment(asked) ? [...customerColumns, id('payment', 'Payment')] : [count('count', 'Payments')]),
    money('received', 'Received'),
    money('returned', 'Refunded or returned'),
    money('net', 'Received less returned'),
    money('fees', 'Fees of gateways'),
  ],
  ...ofStatement(
    (asked) => moneyRows.cashReceived(asked, { isByPayment: isByPayment(asked), method: asked.options.method ?? null }),
    (row, asked) => ({
      cells: { ...row, net: subtract(row.received, row.returned) },
      hrefs: isByPayment(asked) ? pathsOfPayment(row) : pathsOfCash(asked, row),
    }),
  ),
};

const isByPayment = ({ options }: Asked): boolean => options.by === 'payment';

/** Paths of the payments of a day and method. */
function pathsOfCash(asked: Asked, { date, method, currency: code }: moneyRows.CashRow): Record<string, string> {
  const path = pathOf('cash_received', asked, { start: date, end: date, by: 'payment', method, currency: code });
  return { count: path, received: path, returned: path, net: path, fees: path };
}

function pathsOfPayment({ customer, payment }: moneyRows.CashRow): Record<string, string> {
  return {
    ...(customer === null ? {} : { customer: `/customers/${customer}` }),
    ...(payment === null ? {} : { payment: `/payments/${payment}` }),
  };
}

export const unapplied: ReportDefinition = {
  title: 'Unapplied payments',
  definition: 'Payments with money that was applied to nothing at the end of the day.',
  options: [],
  isByCustomer: true,
  columns: () => [
    ...customerColumns,
    id('payment', 'Payment'),
    day('date', 'Date'),
    text('method', 'Method'),
    text('reference', 'Reference'),
    currency,
    money('amount', 'Unapplied'),
  ],
  ...ofStatement(moneyRows.unappliedMoney, (row) => ({
    cells: { ...row },
    hrefs: { payment: `/payments/${row.payment}` },
  })),
};

export const writeOffs: ReportDefinition = {
  title: 'Write-offs',
  definition: 'What was written off of invoices on each of the days; what was taken back is negative.',
  options: [],
  isByCustomer: true,
  columns: () => [
    ...invoiceColumns,
    day('date', 'Date'),
    text('reason', 'Reason'),
    currency,
    money('amount', 'Written off'),
  ],
  ...ofStatement(moneyRows.writtenOff, (row) => ({
    cells: { ...row },
    hrefs: { invoice: `/invoices/${row.invoice}` },
  })),
};
