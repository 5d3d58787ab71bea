import { type Check, compare } from '../db/queries/audit/check.ts';
import { undecided } from '../db/schema/attempt.ts';

/**
 * Finds money that the test gateway took or gave back and Perennial did not record, the reverse, and what happened twice. One statement
 * reads one snapshot. Skips attempts without an outcome, and sandbox customers that were deleted with their test clock.
 */
const gatewayCheckOf = (kind: 'charge' | 'refund', name: string): Check => ({
  name,
  sql: `select ${compare(`'${kind} ' || reference`, 'stored', 'captured')} from (
          select o.account_id::int as account_id, o.reference, coalesce(c.amount, 0) as stored, o.captured * o.amount as captured
          from test_gateway.operation o
          left join ${kind} c on c.account_id = o.account_id::int and c.gateway_id = o.reference
            and c.gateway = 'test' and c.status = 'succeeded'
          where o.kind = '${kind}' and (
            exists (select 1 from customer k where k.account_id = o.account_id::int and k.id = o.customer_id::int)
            or exists (select 1 from account a where a.id = o.account_id::int and a.environment = 'live'))
          union all
          select c.account_id, c.gateway_id, c.amount, 0 from ${kind} c where c.gateway = 'test' and c.status = 'succeeded'
            and not exists (select 1 from test_gateway.operation o where o.reference = c.gateway_id and o.kind = '${kind}')) x
        where stored <> captured and not exists (
          select 1 from attempt u where u.account_id = x.account_id and u.reference = x.reference
            and u.state in (${undecided}))`,
});

export const gatewayChecks: readonly Check[] = [
  gatewayCheckOf('charge', 'what the gateway captured is what we recorded, once'),
  gatewayCheckOf('refund', 'what the gateway gave back is what we recorded, once'),
];
