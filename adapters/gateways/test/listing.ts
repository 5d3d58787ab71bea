import type { GatewayPage, GatewayRange, GatewayRecord } from '../../../commands/ports/ports.ts';
import type { Queryable } from './database.ts';

/** Number of operations of a page. */
const PAGE = 500;

/** A row of test_gateway.operation whose money moved or will move. */
interface ListedRow extends GatewayRecord {
  place: string;
}

/** SQL: money of operation o that banks hold or took back. */
const TAKEN_BACK = `(case when returned_at <= now() then amount else 0 end + coalesce((
    select sum(case d.status when 'open' then d.amount when 'lost' then d.amount_lost else 0 end)
    from test_gateway.dispute d where d.charge_reference = o.reference and d.opens_at <= now()), 0))`;

const listSql = `
  select id::text as place, key, reference, kind, account_id::float8 as "accountId", customer_id::float8 as "customerId",
    amount::text, currency, status, ${TAKEN_BACK}::text as "takenBack", charge_reference as "chargeReference",
    prepared_at as "madeAt", recorded_at as "recordedAt"
  from test_gateway.operation o
  where kind in ('charge', 'refund') and status in ('succeeded', 'pending')
    and not (status = 'pending' and challenge is not distinct from 'open')
    and recorded_at >= $1 and recorded_at < $2 and id > $3::bigint
  order by id limit ${PAGE}`;

/** A page of the charges and refunds that moved money or will, oldest first. */
export async function listOperations(db: Queryable, { since, until, after }: GatewayRange): Promise<GatewayPage> {
  const { rows } = await db.query<ListedRow>(listSql, [since, until, after ?? '0']);
  const last = rows.length === PAGE ? rows.at(-1) : undefined;
  return { records: rows.map(({ place: _, ...record }) => record), next: last?.place ?? null };
}
