import type { EntityManager } from '../../orm.ts';
import type { Account } from '../../schema/account.ts';
import { liveIdOf } from '../../schema/account.ts';

/** Documents of one currency: how many, and their sum as decimal text. */
export interface DeskSum {
  currency: string;
  count: number;
  amount: string;
}

/** SQL: invoices `i` whose payment failed and is tried again. */
export const RETRYING =
  'i.deleted_at is null and not i.closed and i.payment_failure_code is not null and i.next_payment_attempt_at is not null';

/** An invoice whose payment failed and is tried again. */
export interface Retried {
  invoice: number;
  number: string | null;
  customer: number;
  name: string;
  currency: string;
  amount: string;
  code: string;
  /** Words of the gateway. */
  message: string | null;
  nextAt: Date;
}

/** The failed payments that are tried again: sums by currency, and the invoices whose attempts are next. */
export async function retriedPayments(
  em: EntityManager,
  accountId: number,
  most: number,
): Promise<{ sums: DeskSum[]; first: Retried[] }> {
  const sums = await em.execute<DeskSum[]>(
    `select i.currency, count(*)::int as count, sum(i.balance)::text as amount from invoice i
     where i.account_id = ? and ${RETRYING} group by 1 order by 1`,
    [accountId],
  );
  const first = await em.execute<(Omit<Retried, 'nextAt'> & { nextAt: string })[]>(
    `select i.id as invoice, i.number, c.id as customer, coalesce(c.name, '') as name, i.currency, i.balance::text as amount,
       i.payment_failure_code as code, i.payment_failure_message as message, i.next_payment_attempt_at as "nextAt"
     from invoice i join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where i.account_id = ? and ${RETRYING} order by i.next_payment_attempt_at, i.id limit ${most}`,
    [accountId],
  );
  return { sums, first: first.map((one) => ({ ...one, nextAt: new Date(one.nextAt) })) };
}

/** What waits for a person. `firstAt`: since when, or until when, the first one waits. */
export interface WaitingRow {
  kind: WaitingKind;
  /** Null: they have no amount. */
  currency: string | null;
  count: number;
  amount: string | null;
  firstAt: Date | null;
}

/** Kinds of what waits for a person, in the order in which they are shown. */
export const waitingKinds = ['problems', 'disputes', 'held_bills', 'tasks', 'unapplied_payments'] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** SQL: rows of `WaitingRow` of each kind. Each reads only open rows, by an index. `?`: account; of tasks also the time before which they are due. */
const WAITING: Readonly<Record<WaitingKind, string>> = {
  problems: `select currency, count(*)::int as count, sum(money_at_risk)::text as amount, min(since) as "firstAt"
    from problem where account_id = ? and closed_at is null group by 1`,
  disputes: `select currency, count(*)::int as count, sum(amount)::text as amount, min(evidence_due_at) as "firstAt"
    from dispute where account_id = ? and status = 'open' group by 1`,
  held_bills: `select i.currency, count(*)::int as count, sum(i.total)::text as amount, min(t.created_at) as "firstAt"
    from task t join invoice i on i.account_id = t.account_id and i.id = t.held_invoice_id
    where t.account_id = ? and t.held_invoice_id is not null and not t.complete group by 1`,
  tasks: `select null as currency, count(*)::int as count, null as amount, min(due_at) as "firstAt"
    from task where account_id = ? and not complete and due_at < ? having count(*) > 0`,
  unapplied_payments: `select currency, count(*)::int as count, sum(balance)::text as amount, min(date) as "firstAt"
    from payment where account_id = ? and balance > 0 and not voided group by 1`,
};

/** What waits for a person now. Tasks are due before `dueUntil`. */
export async function waitingForPeople(
  em: EntityManager,
  { accountId, dueUntil }: { accountId: number; dueUntil: Date },
): Promise<WaitingRow[]> {
  const found: WaitingRow[] = [];
  for (const kind of waitingKinds) {
    const values = kind === 'tasks' ? [accountId, dueUntil] : [accountId];
    const rows = await em.execute<(Omit<WaitingRow, 'firstAt'> & { firstAt: string | null })[]>(
      `${WAITING[kind]} order by 1`,
      values,
    );
    found.push(...rows.map((row) => ({ ...row, kind, firstAt: row.firstAt === null ? null : new Date(row.firstAt) })));
  }
  return found;
}

/** The steps with which an account goes live, and whether each is done. */
export interface GoLiveFacts {
  business: boolean;
  tax: boolean;
  gateway: boolean;
  mail_sender: boolean;
  first_invoice: boolean;
  colleague: boolean;
}

/** SQL: whether an account `a` has a row of a table. */
const has = (table: string, where = 'true', id = 'a.id') =>
  `exists (select 1 from ${table} r where r.account_id = ${id} and ${where})`;

/** Whether each step is done, from the rows that it makes. Members belong to the live account. */
export async function goLiveFacts(em: EntityManager, account: Account): Promise<GoLiveFacts | null> {
  const [facts = null] = await em.execute<GoLiveFacts[]>(
    `select a.email is not null and a.address1 is not null and a.country is not null as business,
       a.small_business_note is not null or ${has('tax_rate', 'r.archived_at is null')} as tax,
       ${has('merchant_account', 'r.deleted_at is null')} as gateway,
       ${has('mail_sender', 'r.deleted_at is null and r.found_at is not null and r.lost_at is null')} as mail_sender,
       ${has('invoice', 'r.deleted_at is null and r.issued_at is not null')} as first_invoice,
       (select count(*) from (select 1 from member r where r.account_id = ? limit 2) few) = 2 as colleague
     from account a where a.id = ?`,
    [liveIdOf(account), account.id],
  );
  return facts;
}
