import type { Presented } from '../../../billing/json.ts';
import { endedStatuses, subscriptionStatuses } from '../../../billing/subscriptions/subscription.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Reading } from '../../../db/queries/kernel/reading.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { quoted } from '../../../db/schema/columns.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { Item } from '../../../db/schema/item.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { Subscription, SubscriptionAddon } from '../../../db/schema/subscription.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { presentSubscription } from '../../../present/subscriptions/subscription.ts';
import * as fields from '../../body/fields.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { Part, PresentedKind, Relation } from '../../framework/kind.ts';
import {
  amounts,
  between,
  byCustomerName,
  column,
  filtered,
  type Include,
  type Resource,
  readParameter,
  sorted,
  updatedBetween,
  where,
} from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { items } from '../items.ts';
import { plans } from '../plans.ts';
import { subscription, subscriptionAddon } from './shape.ts';

/** Id of the newest invoice of each subscription. */
const LATEST = `id in (select (
    select i.id from invoice i where i.account_id = ? and i.subscription_id = s and i.deleted_at is null
    order by i.id desc limit 1)
  from unnest(?::int[]) s)`;

/** The newest invoice of each subscription, with its lines; null: it has none. */
const latestInvoice: Include<Subscription>['read'] = async (reading, rows) => {
  const [first] = rows;
  if (!first) return [];
  const where = condition(LATEST, first.accountId, `{${rows.map(({ id }) => id).join(',')}}`);
  const found = await reading.slice({ row: Invoice, where, order: [], limit: rows.length, offset: 0 });
  const invoices = new Map(found.map(({ row }) => [row.subscription?.id, row]));
  const ids = found.map(({ row }) => row.id);
  const lines = await reading.children(LineItem, { column: 'invoice_id', ids, orderBy: 'position' });
  return rows.map(({ id }) => {
    const invoice = invoices.get(id);
    return invoice ? presentInvoice(invoice, lines.get(invoice.id) ?? []) : null;
  });
};

/**
 * Presents subscriptions with their plans and current add-ons. Statements: one for plans, and one each for add-ons and items if there are
 * any.
 */
async function presentSubscriptions(reading: Reading, rows: readonly Plain<Subscription>[]): Promise<Presented[]> {
  const addons = await reading.children(SubscriptionAddon, {
    column: 'subscription_id',
    ids: rows.filter(({ hasAddons }) => hasAddons).map(({ id }) => id),
    orderBy: 'position',
    where: condition('removed_at is null'),
  });
  const all = [...addons.values()].flat();
  const planById = await reading.byId(
    Plan,
    [...rows, ...all].flatMap(({ plan }) => (plan ? [plan.id] : [])),
  );
  const itemById = await reading.byId(
    Item,
    all.flatMap(({ item }) => (item ? [item.id] : [])),
  );
  return rows.flatMap((row) => {
    const plan = planById.get(row.plan.id);
    const coded = (addons.get(row.id) ?? []).map((addon) => ({
      ...addon,
      plan: planById.get(addon.plan?.id ?? 0),
      item: itemById.get(addon.item?.id ?? 0),
    }));
    return plan ? [presentSubscription(row, { plan, addons: coded })] : [];
  });
}

/** The plan or item that an add-on has, found through its row: another object may have its code by now. */
function soldBy<Target extends object>(
  to: () => Resource<Target>,
  idOf: (addon: Plain<SubscriptionAddon>) => number | undefined,
): Relation<Presented> {
  const sold = relation(to, (id: number) => id);
  return {
    to,
    keyOf: ({ id }) => (typeof id === 'number' ? id : null),
    load: async (reading, keys, wanted) => {
      const rows = await reading.byId(
        SubscriptionAddon,
        keys.filter((key) => typeof key === 'number'),
      );
      const ids = new Map([...rows].map(([id, row]) => [id, idOf(row) ?? 0]));
      const found = await sold.load(reading, [...ids.values()], wanted);
      const entries = [...ids].map(([id, soldId]) => ({ id, object: found.get(soldId) }));
      return new Map(entries.flatMap(({ id, object }) => (object ? [[id, object] as const] : [])));
    },
  };
}

const addon: PresentedKind = {
  shape: subscriptionAddon,
  relations: {
    plan: soldBy(
      () => plans,
      ({ plan }) => plan?.id,
    ),
    catalog_item: soldBy(
      () => items,
      ({ item }) => item?.id,
    ),
  },
};

/** The add-ons of a subscription. */
const addons: Part = { to: () => addon };

const ofPlan = '(account_id, plan_id) in (select account_id, id from plan where code = ?)';

/** SQL condition that hides ended subscriptions, unless the request has `canceled=1`, `finished=1` or a filter on the status. */
function listed({ query }: ApiRequest) {
  const hidden = endedStatuses.filter((status) => {
    const text = query.get(status) ?? '';
    return text === '' || !readParameter(fields.boolean, text, status);
  });
  if (hidden.length === 0 || (query.get('filter[status]') ?? '') !== '') return condition('true');
  return condition(`status not in (${quoted(hidden)})`);
}

const listsEnded = (status: string) =>
  fields.described(fields.boolean, `True: list ${status} subscriptions too; ignored together with \`filter[status]\``);

export const subscriptions: Resource<Subscription, 'id'> = {
  name: 'Subscription',
  area: 'subscriptions',
  shape: subscription,
  row: Subscription,
  idColumn: 'id',
  metadata: true,
  listed,
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    'customer.name': byCustomerName(),
    plan: { sort: null, filter: where(fields.code, (code) => condition(ofPlan, code)) },
    status: filtered('status', fields.choice(...subscriptionStatuses)),
    period_end: sorted('period_end_at'),
    contract_period_end: sorted('contract_end_at'),
    trial_end: sorted('trial_end_at'),
    mrr: amounts('mrr'),
    paused: filtered('paused', fields.boolean),
    cancel_at_period_end: filtered('cancel_at_period_end', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  extraParameters: { canceled: listsEnded('canceled'), finished: listsEnded('finished') },
  parameters: {
    ...between('contract_end_at', fields.timestamp, ['contract_ends_after', 'contract_ends_before']),
    ...updatedBetween,
  },
  present: presentSubscriptions,
  parts: { addons },
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    plan: relation(
      () => plans,
      (row) => row.plan.id,
    ),
  },
  includes: { latest_invoice: { area: 'documents', read: latestInvoice } },
};
