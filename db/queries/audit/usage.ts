import { type Check, compare } from './check.ts';

/** Checks of reported usage and the totals with which it was billed. */
export const usageChecks: Check[] = [
  {
    name: 'a usage total is the sum of its records',
    sql: `select ${compare("'usage total ' || id", "quantity || ' in ' || records", "summed || ' in ' || counted")} from (
            select t.account_id, t.id, t.quantity, t.records, coalesce(sum(r.quantity), 0) as summed, count(r.id) as counted
            from usage_total t join usage_rate u on u.account_id = t.account_id and u.id = t.rate_id
            left join usage_record r on r.account_id = t.account_id and r.subscription_id = u.subscription_id and r.total_id = t.id
            group by t.account_id, t.id) x where quantity <> summed or records <> counted`,
  },
  {
    // Usage can be collected for a total before the bill writes it.
    name: 'billed usage has its total',
    sql: `select ${compare("'usage ' || id", 'total_id', "'none'")} from usage_record r
          where total_id is not null
            and not exists (select 1 from usage_total t where t.account_id = r.account_id and t.id = r.total_id)
            and not exists (select 1 from usage_rate u where u.account_id = r.account_id and u.subscription_id = r.subscription_id
              and u.collected @> jsonb_build_array(jsonb_build_object('totalId', r.total_id)))`,
  },
];
