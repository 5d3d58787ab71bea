import { type Check, compare } from '../db/queries/audit/check.ts';
import { undecided } from '../db/schema/attempt.ts';

/**
 * Finds money that the test gateway took or gave back and Perennial did not record, the reverse, and what happened twice. One statement
 * reads one snapshot. Skips attempts without an outcome, and sandbox customers that were deleted with their test clock. `made`: SQL, whether
 * row c was made at the gateway.
 */
const gatewayCheckOf = (kind: 'charge' | 'refund', made: string, name: string): Check => ({
  name,
  sql: `select ${compare(`'${kind} ' || reference`, 'stored', 'captured')} from (
          select o.account_id::int as account_id, o.reference, coalesce(c.amount, 0) as stored, o.captured * o.amount as captured
          from test_gateway.operation o
          left join ${kind} c on c.account_id = o.account_id::int and c.gateway_id = o.reference
            and c.gateway = 'test' and ${made}
          where o.kind = '${kind}' and (
            exists (select 1 from customer k where k.account_id = o.account_id::int and k.id = o.customer_id::int)
            or exists (select 1 from account a where a.id = o.account_id::int and a.environment = 'live'))
          union all
          select c.account_id, c.gateway_id, c.amount, 0 from ${kind} c where c.gateway = 'test' and ${made}
            and not exists (select 1 from test_gateway.operation o where o.reference = c.gateway_id and o.kind = '${kind}')) x
        where stored <> captured and not exists (
          select 1 from attempt u where u.account_id = x.account_id and u.reference = x.reference
            and u.state in (${undecided}))`,
});

const SUCCEEDED = "c.status = 'succeeded'";
/** A returned debit had succeeded before. */
const TAKEN = "(c.status = 'succeeded' or c.returned_at is not null)";

/** Finds money that banks hold or took back at the test gateway, and that Perennial recorded differently. Skips charges with an event under way. */
const takenBackCheck: Check = {
  name: 'what banks hold or took back at the gateway is what we recorded',
  sql: `select ${compare("'charge ' || reference", 'stored', 'taken')} from (
          select c.account_id, c.gateway_id as reference,
            c.amount_lost + coalesce((select sum(d.amount) from dispute d
              where d.account_id = c.account_id and d.charge_id = c.id and d.status = 'open'), 0) as stored,
            case when o.returned_at <= now() then o.amount else 0 end + coalesce((select sum(
              case d.status when 'open' then d.amount when 'lost' then d.amount_lost else 0 end)
              from test_gateway.dispute d where d.charge_reference = o.reference and d.opens_at <= now()), 0) as taken
          from charge c join test_gateway.operation o on o.reference = c.gateway_id and o.kind = 'charge'
          where c.gateway = 'test') x
        where stored <> taken
          and not exists (select 1 from test_gateway.event e where e.reference = x.reference and e.delivered_at is null)
          and not exists (select 1 from gateway_event e where e.account_id = x.account_id and e.reference = x.reference
            and e.state in ('received', 'unmatched'))`,
};

export const gatewayChecks: readonly Check[] = [
  gatewayCheckOf('charge', TAKEN, 'what the gateway captured is what we recorded, once'),
  gatewayCheckOf('refund', SUCCEEDED, 'what the gateway gave back is what we recorded, once'),
  takenBackCheck,
];
