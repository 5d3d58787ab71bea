import { add, zero } from '../../billing/money/money.ts';
import { shareOf } from '../../billing/reports/collecting.ts';
import type { Asked, Cell, ReportRow } from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  cohorts as cohortsOf,
  kinds,
  mrrMovements as movementRows,
  type PeriodRow,
  revenueByPeriod,
} from '../../db/queries/reports/revenue.ts';
import {
  BEFORE_ALL,
  count,
  currency,
  customerColumns,
  day,
  daysBefore,
  daysIn,
  integer,
  money,
  number,
  ofStatement,
  pathOf,
  periodsOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const MEANING =
  'Monthly recurring revenue of subscriptions that are active or past due: without taxes, usage, trials and one-off lines, less discounts of unlimited duration. A pause is churn, its end reactivation. Movements are net for each customer, currency and local day.';

const unitOf = ({ options }: Asked): 'day' | 'month' => (options.group === 'day' ? 'day' : 'month');

/** What there is of something at the start of a period, what moves it, and what there is at its end. */
interface Course<Value> {
  start: Value;
  moves: Readonly<Record<(typeof kinds)[number], Value>>;
  end: Value;
}

/** The periods of each currency in order, with revenue and numbers of customers. */
async function coursesOf(em: EntityManager, asked: Asked) {
  const unit = unitOf(asked);
  const periods = periodsOf(asked, unit);
  const found = await revenueByPeriod(em, asked, unit);
  const codes = [...new Set(found.map((row) => row.currency))];
  return codes.flatMap((code) => {
    const rows = new Map(found.filter((row) => row.currency === code).map((row) => [row.period, row]));
    const before = rows.get(null);
    let [revenue, heads] = [before?.total ?? zero(code), before?.holders ?? 0];
    return periods.map((period) => {
      const row = rows.get(period) ?? nothing(code);
      const money: Course<string> = { start: revenue, moves: row.amounts, end: add(revenue, row.total) };
      const customers: Course<number> = { start: heads, moves: row.heads, end: heads + row.holders };
      [revenue, heads] = [money.end, customers.end];
      return { code, period, money, customers, lost: row.lost };
    });
  });
}

const each = <Value>(value: Value): Course<Value>['moves'] => {
  return { new: value, reactivation: value, expansion: value, contraction: value, churn: value };
};

const nothing = (code: string): Pick<PeriodRow, 'amounts' | 'heads' | 'total' | 'holders' | 'lost'> => {
  return {
    amounts: each(zero(code)),
    heads: each(0),
    total: zero(code),
    holders: 0,
    lost: { amount: zero(code), heads: 0 },
  };
};

const rowOf = (cells: Record<string, Cell>, hrefs: Record<string, string> = {}): ReportRow => {
  return { cells, hrefs };
};

/** Paths of the movements of a period, by kind. */
function movementPaths(asked: Asked, period: string, code: string): Record<string, string> {
  const of = { ...daysIn(asked, period), currency: code };
  return Object.fromEntries(kinds.map((kind) => [kind, pathOf('mrr_movements', asked, { ...of, kind })]));
}

/** The path of all movements until the end of a period, whose sum is the revenue then. */
function pathUntil(asked: Asked, period: string, more: Record<string, Cell>): string {
  return pathOf('mrr_movements', asked, { ...daysIn(asked, period), start: BEFORE_ALL, ...more });
}

/** `start`: the path of all movements before a period, whose sum is the revenue at its start. */
function pathBefore(asked: Asked, period: string, more: Record<string, Cell>): { start?: string } {
  const before = daysBefore(daysIn(asked, period).start ?? asked.days.firstDay);
  return before ? { start: pathOf('mrr_movements', asked, { ...before, ...more }) } : {};
}

/** A row for each customer with revenue at the end of the days. */
const EARNING = { only: 'earning', group_by: 'customer' };

const shared = { options: ['group'], isByCustomer: true, unsummed: () => ['start', 'end'] } as const;

export const mrr: ReportDefinition = {
  ...shared,
  title: 'Monthly recurring revenue',
  definition: `${MEANING} \`end\` is \`start\` plus all movements between.`,
  columns: () => [
    day('period', 'Period'),
    currency,
    money('start', 'Start'),
    money('new', 'New'),
    money('reactivation', 'Reactivation'),
    money('expansion', 'Expansion'),
    money('contraction', 'Contraction'),
    money('churn', 'Churn'),
    money('end', 'End'),
  ],
  rows: async (em, asked) =>
    (await coursesOf(em, asked)).map(({ code, period, money: { start, moves, end } }) =>
      rowOf(
        { period, currency: code, start, ...moves, end },
        {
          ...pathBefore(asked, period, { currency: code }),
          ...movementPaths(asked, period, code),
          end: pathUntil(asked, period, { currency: code }),
        },
      ),
    ),
};

export const customers: ReportDefinition = {
  ...shared,
  title: 'Customers with recurring revenue',
  definition: `Customers with recurring revenue at the start and at the end of each period, and those who came and went. ${MEANING}`,
  columns: () => [
    day('period', 'Period'),
    currency,
    integer('start', 'Start'),
    count('new', 'New'),
    count('reactivation', 'Came back'),
    count('churn', 'Left'),
    integer('end', 'End'),
  ],
  rows: async (em, asked) =>
    (await coursesOf(em, asked)).map(({ code, period, customers: { start, moves, end } }) => {
      const { new: came, reactivation, churn: left } = moves;
      const { expansion: _more, contraction: _less, ...hrefs } = movementPaths(asked, period, code);
      const of = { currency: code, ...EARNING };
      return rowOf(
        { period, currency: code, start, new: came, reactivation, churn: left, end },
        { ...pathBefore(asked, period, of), ...hrefs, end: pathUntil(asked, period, of) },
      );
    }),
};

export const churn: ReportDefinition = {
  ...shared,
  title: 'Churn',
  definition: `Revenue and customers that were lost in each period. Their shares are of what there was at its start: without customers who came in the period, and at most what a customer had at the start. Null without a start. ${MEANING}`,
  columns: () => [
    day('period', 'Period'),
    currency,
    money('start', 'Revenue at the start'),
    money('churn', 'Churn'),
    money('contraction', 'Contraction'),
    number('revenue_rate', 'Share of revenue that churned'),
    integer('customers_start', 'Customers at the start'),
    count('customers_lost', 'Customers who left'),
    number('customer_rate', 'Share of customers who left'),
  ],
  rows: async (em, asked) =>
    (await coursesOf(em, asked)).map(({ code, period, money: revenue, customers: heads, lost }) => {
      const { start, moves } = revenue;
      const { churn: left = '', contraction = '' } = movementPaths(asked, period, code);
      const cells = {
        period,
        currency: code,
        start,
        churn: moves.churn,
        contraction: moves.contraction,
        revenue_rate: shareOf(lost.amount, start),
        customers_start: heads.start,
        customers_lost: heads.moves.churn,
        customer_rate: shareOf(String(lost.heads), String(heads.start)),
      };
      const { start: holders } = pathBefore(asked, period, { currency: code, ...EARNING });
      return rowOf(cells, {
        ...pathBefore(asked, period, { currency: code }),
        churn: left,
        contraction,
        ...(holders === undefined ? {} : { customers_start: holders }),
        customers_lost: left,
      });
    }),
};

export const cohorts: ReportDefinition = {
  title: 'Cohorts',
  definition: `What is left at the end of each month of the customers whose first revenue was in the month of the cohort. ${MEANING}`,
  options: [],
  isByCustomer: true,
  unsummed: () => ['amount'],
  columns: () => [
    day('cohort', 'Cohort'),
    day('month', 'Month'),
    currency,
    integer('customers', 'Customers'),
    money('amount', 'Revenue'),
  ],
  rows: async (em, asked) => {
    const found = await cohortsOf(em, asked);
    return found.map((row) => {
      const { cohort, month, currency: code } = row;
      const of = { cohort, currency: code };
      return rowOf(
        { ...row },
        { customers: pathUntil(asked, month, { ...of, ...EARNING }), amount: pathUntil(asked, month, of) },
      );
    });
  },
};

export const mrrMovements: ReportDefinition = {
  title: 'Movements of recurring revenue',
  definition: `The movements behind the other reports of recurring revenue. The sum of all until a day is the revenue at its end. ${MEANING}`,
  options: ['kind', 'cohort', 'only'],
  isByCustomer: true,
  columns: () => [day('date', 'Date'), ...customerColumns, currency, text('kind', 'Kind'), money('amount', 'Amount')],
  ...ofStatement(
    (asked) => {
      const { kind = null, cohort = null, only } = asked.options;
      return movementRows(asked, { kind, cohort, isEarning: only === 'earning' });
    },
    (row) => rowOf({ ...row }, { customer: `/customers/${row.customer}` }),
  ),
};
