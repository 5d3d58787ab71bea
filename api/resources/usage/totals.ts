import { upcomingUsage } from '../../../commands/subscriptions/usage/usage.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { UsageRate, UsageTotal } from '../../../db/schema/usage.ts';
import { presentUpcomingTotal, presentUsageTotal } from '../../../present/subscriptions/usage.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted, where } from '../../framework/resource.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { answerDryRun } from '../../writing/dryRun.ts';
import { subscriptions } from '../subscriptions/resource.ts';
import { upcomingUsage as shape, TOTALS_OF_INVOICE, usageTotal } from './resource.ts';

/** Totals with the subscription and the add-on of their rates. */
const WITH_RATE = `(select t.*, r.subscription_id, r.addon_id from usage_total t
  join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id)`;

/** The billed usage of the subscription in the path, by period. */
const usageTotals: Resource<UsageTotal, 'id'> = {
  name: 'Usage total',
  area: 'subscriptions',
  shape: usageTotal,
  row: UsageTotal,
  from: WITH_RATE,
  idColumn: 'id',
  hasLongIds: true,
  owner: { to: () => subscriptions, param: 'subscription_id', column: 'subscription_id' },
  columns: {
    id: column('id', fields.longId),
    period_start: sorted('start_at'),
    addon: filtered('addon_id', fields.id),
    invoice: {
      sort: null,
      filter: where(fields.id, (id) => condition(`(account_id, id) in (${TOTALS_OF_INVOICE})`, id, id)),
    },
  },
  parameters: {
    ...between('start_at', fields.timestamp, ['start_date', 'end_date']),
    ...between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  order: [
    { column: 'start_at', direction: 'desc' },
    { column: 'id', direction: 'desc' },
  ],
  present: async (reading, rows) => {
    const rates = await reading.byId(
      UsageRate,
      rows.map(({ rate }) => rate.id),
    );
    const lines = await reading.byId(
      LineItem,
      rows.flatMap(({ lineId }) => lineId ?? []),
    );
    return rows.flatMap((row) => {
      const rate = rates.get(row.rate.id);
      const invoice = row.invoiceId ?? lines.get(row.lineId ?? 0)?.invoice?.id ?? null;
      return rate ? [presentUsageTotal(row, { rate, invoice })] : [];
    });
  },
};

const path = '/subscriptions/:subscription_id';

export const usageTotalRoutes: Route[] = [
  listRoute({
    path: `${path}/usage_totals`,
    resource: usageTotals,
    summary: 'List the billed usage of a subscription by period, latest first',
  }),
  {
    method: 'GET',
    path: `${path}/upcoming_usage`,
    operationId: 'readUpcomingUsage',
    permission: 'subscriptions.read',
    summary: 'Read what the usage of a subscription costs that no bill has taken',
    answer: { statusCode: 200, kind: { shape } },
    handle: (request) =>
      answerDryRun(request, async (em, caller, now) => {
        const id = pathId(request, 'Subscription', 'subscription_id');
        const { locked, totals } = await upcomingUsage(em, { caller, id }, now);
        return {
          currency: locked.plan.currency,
          totals: totals.map(({ rate, ...total }) => presentUpcomingTotal(total, rate)),
        };
      }),
  },
];
