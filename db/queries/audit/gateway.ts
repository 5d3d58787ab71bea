import type { Environment } from '../../../billing/environments.ts';
import { undecided } from '../../schema/attempt.ts';
import type { ChargeStatus } from '../../schema/charge.ts';
import type { Sql } from '../kernel/sql.ts';

/** A charge or refund of a gateway's record. */
export interface GatewayMovement {
  accountId: number;
  customerId: number;
  kind: 'charge' | 'refund';
  reference: string;
}

/** A charge or refund of a gateway, as the database has it. */
export interface Recorded {
  /** Environment of its account; null: the database has no such account. */
  environment: Environment | null;
  hasCustomer: boolean;
  /** Status and amount of the charge or refund; null: there is none. */
  status: ChargeStatus | null;
  amount: string | null;
  currency: string | null;
  /** Sum of the amounts that banks hold or took back. Decimal text. */
  takenBack: string;
  /** Whether an attempt without an outcome has the reference. Its process looks it up. */
  isLookedUp: boolean;
}

/** Finds charges and refunds of a gateway in the database, in the same order. */
export function recordedOf(sql: Sql, gateway: string, movements: readonly GatewayMovement[]): Promise<Recorded[]> {
  const values = [
    gateway,
    movements.map(({ accountId }) => accountId),
    movements.map(({ customerId }) => customerId),
    movements.map(({ kind }) => kind),
    movements.map(({ reference }) => reference),
  ];
  return sql.query<Recorded>(
    `select a.environment, k.id is not null as "hasCustomer", case when c.returned_at is not null then 'succeeded' else coalesce(c.status, r.status) end as status,
       (coalesce(c.amount_lost, 0) + coalesce((select sum(d.amount) from dispute d where d.account_id = c.account_id
         and d.charge_id = c.id and d.status = 'open'), 0))::text as "takenBack",
       coalesce(c.amount, r.amount)::text as amount, coalesce(c.currency, r.currency) as currency,
       exists (select 1 from attempt t where t.account_id = m.account_id and t.gateway = $1 and t.reference = m.reference
         and t.state in (${undecided})) as "isLookedUp"
     from unnest($2::int[], $3::int[], $4::text[], $5::text[])
       with ordinality as m(account_id, customer_id, kind, reference, place)
     left join account a on a.id = m.account_id
     left join customer k on k.account_id = m.account_id and k.id = m.customer_id
     left join charge c on m.kind = 'charge' and c.account_id = m.account_id and c.gateway = $1 and c.gateway_id = m.reference
     left join refund r on m.kind = 'refund' and r.account_id = m.account_id and r.gateway = $1 and r.gateway_id = m.reference
     order by m.place`,
    values,
  );
}

/** A charge or refund that succeeded, as the books have it. */
export interface Booked {
  accountId: number;
  attemptId: number;
  kind: 'charge' | 'refund';
  reference: string;
  amount: string;
  currency: string;
}

/** The place of a charge or refund in the list of `bookedAfter`. */
export type BookedPlace = Pick<Booked, 'accountId' | 'attemptId'>;

export const BOOKED_START: BookedPlace = { accountId: 0, attemptId: 0 };
const PAGE = 500;

/** A page of the charges and refunds that succeeded, of attempts that were started in the range. Empty at the end. */
export function bookedAfter(
  sql: Sql,
  { accountId, attemptId }: BookedPlace,
  range: { gateway: string; since: Date; until: Date },
): Promise<Booked[]> {
  return sql.query<Booked>(
    `select t.account_id as "accountId", t.id as "attemptId", t.kind, t.reference, t.amount::text as amount, t.currency
     from attempt t
     where t.gateway = $1 and t.state = 'succeeded' and t.kind in ('charge', 'refund') and t.started_at >= $2 and t.started_at < $3
       and (t.account_id, t.id) > ($4, $5) order by t.account_id, t.id limit ${PAGE}`,
    [range.gateway, range.since, range.until, accountId, attemptId],
  );
}
