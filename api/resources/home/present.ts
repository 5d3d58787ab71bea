import type { Permission } from '../../../billing/people/permissions.ts';
import type { MoneyOfMonths, openToday, Range, Received, revenueOfMonth } from '../../../commands/reports/home.ts';
import type { DeskSum, GoLiveFacts, retriedPayments, WaitingRow } from '../../../db/queries/reports/desk.ts';
import type { AheadRow } from '../../../db/queries/reports/weekAhead.ts';
import { type Presented, sumNumber, unix } from '../../../present/kernel/values.ts';
import { aheadLists, goLiveSteps, type Link, linkTo, retryingLink, waitingLists } from './links.ts';

type Found<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>;

const shownLink = ({ path, query }: Link): Presented => ({ path, query: { ...query } });

export function presentMoney({ thisMonth, lastMonthToDate, lastMonth }: MoneyOfMonths): Presented {
  return {
    this_month: moneyOfDays(thisMonth),
    last_month_to_date: moneyOfDays(lastMonthToDate),
    last_month: moneyOfDays(lastMonth),
  };
}

function moneyOfDays({ start, end, sums }: Range & { sums: Received[] }): Presented {
  const link = (more = {}) => shownLink(linkTo('/reports/cash_received', { start, end, by: 'payment', ...more }));
  return {
    start,
    end,
    sums: sums.map(({ currency, received, returned, net }) => ({
      currency,
      received: sumNumber(received),
      returned: sumNumber(returned),
      net: sumNumber(net),
      link: link({ currency }),
    })),
    link: link(),
  };
}

export function presentOpen({ buckets, open }: Found<typeof openToday>): Presented {
  const link = (query: Link['query']) => shownLink(linkTo('/reports/open_items', query));
  return {
    currencies: open.map(({ currency, count, total, overdue, sums }) => ({
      currency,
      count,
      total: sumNumber(total),
      overdue: sumNumber(overdue),
      buckets: buckets.map(({ id, title }) => ({
        id,
        title,
        amount: sumNumber(sums[id] ?? '0'),
        link: link({ currency, bucket: id }),
      })),
      link: link({ currency }),
    })),
  };
}

export function presentRevenue({ start, end, revenue }: Found<typeof revenueOfMonth>): Presented {
  return {
    start,
    end,
    currencies: revenue.map(({ currency, monthAgo, now, moved }) => ({
      currency,
      month_ago: sumNumber(monthAgo),
      now: sumNumber(now),
      ...Object.fromEntries(Object.entries(moved).map(([kind, amount]) => [kind, sumNumber(amount)])),
      link: shownLink(linkTo('/reports/mrr_movements', { start, end, currency })),
    })),
  };
}

const presentSum = ({ currency, count, amount }: DeskSum): Presented => {
  return { currency, count, amount: sumNumber(amount) };
};

export function presentRetrying({ sums, first }: Found<typeof retriedPayments>): Presented {
  return {
    count: sums.reduce((count, sum) => count + sum.count, 0),
    sums: sums.map(presentSum),
    invoices: first.map(({ name, amount, nextAt, ...invoice }) => ({
      ...invoice,
      customer_name: name,
      amount: sumNumber(amount),
      next_attempt: unix(nextAt),
    })),
    link: shownLink(retryingLink),
  };
}

/** Rows of one kind as a number, and sums of those with an amount. */
function counted(rows: readonly { currency: string | null; count: number; amount: string | null }[]) {
  const sums = rows.flatMap(({ currency, count, amount }) =>
    currency === null || amount === null ? [] : [presentSum({ currency, count, amount })],
  );
  return { count: rows.reduce((count, row) => count + row.count, 0), sums };
}

/** What waits, of the kinds that a caller may read. Tasks are due before `dueUntil`. */
export function presentWaiting(
  { rows, dueUntil }: { rows: readonly WaitingRow[]; dueUntil: Date },
  permissions: readonly Permission[],
): Presented {
  const items = [...Map.groupBy(rows, ({ kind }) => kind)].flatMap(([kind, of]) => {
    const { area, linkUntil } = waitingLists[kind];
    if (!permissions.includes(`${area}.read`)) return [];
    const times = of.flatMap(({ firstAt }) => (firstAt === null ? [] : [unix(firstAt)]));
    return [
      {
        kind,
        ...counted(of),
        first_at: times.length === 0 ? null : Math.min(...times),
        link: shownLink(linkUntil(dueUntil)),
      },
    ];
  });
  return { items };
}

/** What lies ahead, of the kinds that a caller may read. */
export function presentAhead(
  { rows, zone }: { rows: readonly AheadRow[]; zone: string },
  permissions: readonly Permission[],
): Presented {
  const items = [...Map.groupBy(rows, ({ day, kind }) => `${day} ${kind}`).values()].flatMap((of) => {
    const [first] = of;
    if (!first) return [];
    const { day, kind } = first;
    const { area, link } = aheadLists[kind];
    if (!permissions.includes(`${area}.read`)) return [];
    const list = link(day, zone);
    return [{ day, kind, ...counted(of), link: list === null ? null : shownLink(list) }];
  });
  return { items };
}

export function presentGoLive(facts: GoLiveFacts | null): Presented {
  const steps = goLiveSteps.map(([step, link]) => ({ step, done: facts?.[step] ?? false, link: shownLink(link) }));
  return { done: steps.every(({ done }) => done), steps };
}
