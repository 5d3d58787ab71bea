import type { EntityManager } from '../../orm.ts';

/** Number and sum in one currency. */
export interface DigestSum {
  currency: string;
  count: number;
  amount: string;
}

/** The contents of a digest. Customers on test clocks are left out. */
export interface DigestFacts {
  /** Money that came in: charges that succeeded, and payments that were recorded and not voided. */
  collected: DigestSum[];
  /** Charges that were declined, and debits that banks returned. */
  failed: DigestSum[];
  /** Disputes that were opened. */
  disputes: DigestSum[];
  openDisputes: number;
  problems: number;
  /** Open tasks that are due. */
  tasks: number;
}

/** A day of an account. `until`: exclusive. Tasks are due before `dueUntil`. */
export interface DigestDay {
  accountId: number;
  from: Date;
  until: Date;
  dueUntil: Date;
}

/** Reads what a digest tells: what happened on the day, and what is open now. */
export async function readDigest(em: EntityManager, day: DigestDay): Promise<DigestFacts> {
  const { accountId, from, until, dueUntil } = day;
  const during = [accountId, from, until];
  const collected = await em.execute<DigestSum[]>(COLLECTED, [...during, ...during]);
  const failed = await em.execute<DigestSum[]>(FAILED, [...during, ...during]);
  const disputes = await em.execute<DigestSum[]>(DISPUTES, during);
  const [open] = await em.execute<Pick<DigestFacts, 'openDisputes' | 'problems' | 'tasks'>[]>(OPEN, [
    accountId,
    accountId,
    accountId,
    dueUntil,
  ]);
  return { collected, failed, disputes, ...(open ?? { openDisputes: 0, problems: 0, tasks: 0 }) };
}

const sums = (rows: string) =>
  `select currency, count(*)::int as count, sum(amount) as amount from (${rows}) r group by currency order by currency`;

const charges = (state: 'succeeded' | 'failed') =>
  `select currency, amount from attempt where account_id = ? and kind = 'charge' and state in ('succeeded', 'failed')
     and state = '${state}' and clock_id is null and ended_at >= ? and ended_at < ?`;

const COLLECTED = sums(`${charges('succeeded')} union all
  select p.currency, p.amount - p.credit as amount from payment p
  left join customer c on c.account_id = p.account_id and c.id = p.customer_id
  where p.account_id = ? and p.created_at >= ? and p.created_at < ? and p.charge_id is null and not p.voided
    and p.amount > p.credit and c.test_clock_id is null`);

const FAILED = sums(`${charges('failed')} union all
  select h.currency, h.amount from charge h join customer c on c.account_id = h.account_id and c.id = h.customer_id
  where h.account_id = ? and h.returned_at >= ? and h.returned_at < ? and c.test_clock_id is null`);

/** SQL: a dispute `d` with the customer `c` of its charge. */
const DISPUTED = `dispute d join charge h on h.account_id = d.account_id and h.id = d.charge_id
  join customer c on c.account_id = h.account_id and c.id = h.customer_id`;

const DISPUTES = sums(`select d.currency, d.amount from ${DISPUTED}
  where d.account_id = ? and d.created_at >= ? and d.created_at < ? and c.test_clock_id is null`);

const OPEN = `select
  (select count(*)::int from ${DISPUTED} where d.account_id = ? and d.status = 'open' and c.test_clock_id is null) as "openDisputes",
  (select count(*)::int from problem where account_id = ? and closed_at is null and clock_id is null) as problems,
  (select count(*)::int from task t join customer c on c.account_id = t.account_id and c.id = t.customer_id
    where t.account_id = ? and not t.complete and t.due_at < ? and c.test_clock_id is null) as tasks`;
