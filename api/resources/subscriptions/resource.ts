import { endedStatuses, subscriptionStatuses } from '../../../billing/subscription.ts';
import { condition } from '../../../db/queries/kernel/condition.ts';
import { quoted } from '../../../db/schema/columns.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import * as fields from '../../body/fields.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { between, column, filtered, type Resource, readParameter, sorted, where } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { plans } from '../plans/resource.ts';
import { addons, presentSubscriptions } from './addons.ts';
import { latestInvoice } from './latestInvoice.ts';
import { subscription } from './shape.ts';

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
  shape: subscription,
  row: Subscription,
  idColumn: 'id',
  metadata: true,
  listed,
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    plan: { sort: null, filter: where(fields.code, (code) => condition(ofPlan, code)) },
    status: filtered('status', fields.choice(...subscriptionStatuses)),
    period_end: sorted('period_end_at'),
    contract_period_end: sorted('contract_end_at'),
    paused: filtered('paused', fields.boolean),
    cancel_at_period_end: filtered('cancel_at_period_end', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  extraParameters: { canceled: listsEnded('canceled'), finished: listsEnded('finished') },
  parameters: {
    ...between('contract_end_at', fields.timestamp, ['contract_ends_after', 'contract_ends_before']),
    ...between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
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
  includes: { latest_invoice: latestInvoice },
};
