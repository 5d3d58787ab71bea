import type { EntityManager } from '../../orm.ts';
import type { DeskSum } from './desk.ts';

/** Kinds of what will happen, in the order in which they are shown. */
export const aheadKinds = [
  'renewals',
  'charges',
  'installments',
  'due',
  'promises',
  'evidence',
  'tasks',
  'mails',
] as const;
export type AheadKind = (typeof aheadKinds)[number];

/** What will happen on a local day. Renewals, tasks and mails have no amounts. */
export interface AheadRow {
  day: string;
  kind: AheadKind;
  currency: string | null;
  count: number;
  amount: DeskSum['amount'] | null;
}

/** Whole local days from that of `now`, which begins at `from`, until the end of the last one. */
export interface Ahead {
  accountId: number;
  zone: string;
  now: Date;
  from: Date;
  until: Date;
}

/** SQL: the local day of a time, which is today if it has passed. `?`: now, zone. */
const dayOf = (at: string) => `(greatest(${at}, ?) at time zone ?)::date::text`;

/** SQL: an invoice `i` with its customer `c`, which is on no test clock, and its payment plan `p` if that is active. */
const INVOICE = `invoice i join customer c on c.account_id = i.account_id and c.id = i.customer_id and c.test_clock_id is null
  left join payment_plan p on p.account_id = i.account_id and p.id = i.payment_plan_id and p.status = 'active'`;

/** SQL: installments of the plan `p` with their time and what is open of them. */
const INSTALLMENTS = `jsonb_array_elements(p.installments) x (one), lateral (
  select to_timestamp((x.one ->> 'date')::numeric / 1000) as at, (x.one ->> 'balance')::numeric as balance) s`;

/** SQL: what an attempt collects of the invoice `i`: of a plan the installments until then. */
const COLLECTED = `case when p.id is null then i.balance
  else (select coalesce(sum(s.balance), 0) from ${INSTALLMENTS} where s.at <= i.next_payment_attempt_at) end`;

const OPEN = 'i.account_id = ? and i.deleted_at is null and i.issued_at is not null and not i.closed';

/** SQL: invoices that will be charged. `?`: now, zone, account, until. */
const CHARGES = `select ${dayOf('i.next_payment_attempt_at')} as day, 'charges' as kind, i.currency, count(*)::int as count, sum(${COLLECTED})::text as amount
  from ${INVOICE} where ${OPEN} and i.next_payment_attempt_at < ? group by 1, 3`;

/** SQL: installments that fall due. `?`: now, zone, account, from, until. */
const FALLING_DUE = `select ${dayOf('s.at')} as day, 'installments' as kind, i.currency, count(*)::int as count, sum(s.balance)::text as amount
  from ${INVOICE}, ${INSTALLMENTS} where ${OPEN} and i.payment_plan_id is not null and s.balance > 0 and s.at >= ? and s.at < ? group by 1, 3`;

/** SQL: invoices without a plan that fall due. `?`: now, zone, account, from, until. */
const DUE = `select ${dayOf('i.due_at')} as day, 'due' as kind, i.currency, count(*)::int as count, sum(i.balance)::text as amount
  from ${INVOICE} where ${OPEN} and p.id is null and i.due_at >= ? and i.due_at < ? group by 1, 3`;

/** SQL: invoices whose payment is promised. `?`: now, zone, account, from, until. */
const PROMISES = `select ${dayOf('i.expected_payment_at')} as day, 'promises' as kind, i.currency, count(*)::int as count, sum(i.balance)::text as amount
  from ${INVOICE} where ${OPEN} and i.promise = 'promised' and i.expected_payment_at >= ? and i.expected_payment_at < ? group by 1, 3`;

/** SQL: disputes whose evidence is due. `?`: now, zone, account, from, until. */
const EVIDENCE = `select ${dayOf('d.evidence_due_at')} as day, 'evidence' as kind, d.currency, count(*)::int as count, sum(d.amount)::text as amount
  from dispute d where d.account_id = ? and d.status = 'open' and d.evidence_due_at >= ? and d.evidence_due_at < ? group by 1, 3`;

/** SQL: open tasks. `?`: now, zone, account, from, until. */
const TASKS = `select ${dayOf('t.due_at')} as day, 'tasks' as kind, null as currency, count(*)::int as count, null as amount
  from task t where t.account_id = ? and not t.complete and t.due_at >= ? and t.due_at < ? group by 1`;

/** Rules of wake-ups that bill a subscription, and those that mail. */
const RENEWALS = ['begin', 'trial', 'bill', 'renew'];
const MAILS = ['chase', 'statement', 'renews_soon', 'contract_ending', 'card_expiring'];
const listed = (rules: readonly string[]) => rules.map((rule) => `'${rule}'`).join(', ');

/** SQL: subscriptions that will be billed, and mails: each rule is of one process. `?`: now, zone, account, until. */
const WAITS = `select ${dayOf('w.at')} as day, case when w.rule in (${listed(RENEWALS)}) then 'renewals' else 'mails' end as kind,
    null as currency, count(distinct (w.process, w.subject_id))::int as count, null as amount
  from wakeup w where w.account_id = ? and w.clock_id is null and w.at < ?
    and w.rule in (${listed([...RENEWALS, ...MAILS])}) group by 1, 2`;

/**
 * What will happen until the end of the days, by day and kind, if nothing changes until then. Invoices, subscriptions and mails of customers
 * on test clocks are left out.
 */
export async function weekAhead(em: EntityManager, { accountId, zone, now, from, until }: Ahead): Promise<AheadRow[]> {
  const given = [now, zone, accountId];
  const within = [...given, from, until];
  const found: AheadRow[] = [];
  for (const [sql, values] of [
    [WAITS, [...given, until]],
    [CHARGES, [...given, until]],
    [FALLING_DUE, within],
    [DUE, within],
    [PROMISES, within],
    [EVIDENCE, within],
    [TASKS, within],
  ] as const)
    found.push(...(await em.execute<AheadRow[]>(sql, [...values])));
  const place = ({ kind }: AheadRow) => aheadKinds.indexOf(kind);
  return found.sort(
    (one, other) =>
      one.day.localeCompare(other.day) ||
      place(one) - place(other) ||
      (one.currency ?? '').localeCompare(other.currency ?? ''),
  );
}
