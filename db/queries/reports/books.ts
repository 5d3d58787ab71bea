import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { all, type Condition, condition } from '../kernel/sql.ts';
import { CUSTOMER, EFFECTIVE, ENTRY, limits, ROOTS } from './receivables.ts';

/** Conditions on entries `e`: account, known, before the end of the days, currency. */
function known({ accountId, knownAt, days, currency }: Asked, ...more: Condition[]): Condition {
  return all([
    condition('e.account_id = ? and e.posted_at <= ?', accountId, knownAt),
    condition(`${EFFECTIVE} < ?`, days.until),
    ...(currency === null ? [] : [condition('e.currency = ?', currency)]),
    ...more,
  ]);
}

export interface BalanceRow {
  ledgerAccount: string;
  currency: string;
  opening: string;
  debits: string;
  credits: string;
  closing: string;
}

/** Each ledger account with its balance before the days, its debits and credits in them, and its balance at their end. */
export async function trialBalance(em: EntityManager, asked: Asked): Promise<BalanceRow[]> {
  const where = known(asked);
  const { from } = asked.days;
  return em.execute<BalanceRow[]>(
    `select ledger_account as "ledgerAccount", currency, coalesce(sum(amount) filter (where at < ?), 0)::text as opening,
       coalesce(sum(amount) filter (where at >= ? and amount > 0), 0)::text as debits,
       coalesce(-sum(amount) filter (where at >= ? and amount < 0), 0)::text as credits, sum(amount)::text as closing
     from (select e.ledger_account, e.currency, e.amount, ${EFFECTIVE} as at from ${ENTRY} where ${where.sql}) entry
     group by 1, 2 order by currency, 1`,
    [from, from, from, ...where.values],
  );
}

export interface JournalRow {
  id: number;
  posting: string;
  day: string;
  postedAt: string;
  ledgerAccount: string;
  currency: string;
  amount: string;
  reason: string;
  customer: number | null;
  invoice: number | null;
  payment: number | null;
  creditNote: number | null;
}

/** The entries of the days, in the order of posting, after an id. */
export async function journal(
  em: EntityManager,
  asked: Asked,
  { after, limit }: { after: number; limit: number },
): Promise<JournalRow[]> {
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), condition('e.id > ?', after));
  return em.execute<JournalRow[]>(
    `select e.id, e.posting, (${EFFECTIVE} at time zone ?)::date::text as day, e.posted_at as "postedAt", e.ledger_account as "ledgerAccount",
       e.currency, e.amount::text, e.reason, e.customer_id as customer, e.invoice_id as invoice, e.payment_id as payment,
       e.credit_note_id as "creditNote"
     from ${ENTRY} where ${where.sql} order by e.id limit ${limit}`,
    [asked.zone, ...where.values],
  );
}

/** Movements of receivables by what caused them. */
export const movements = [
  'invoiced',
  'fees',
  'credited',
  'voided',
  'paid',
  'discounts',
  'returned',
  'written_off',
  'other',
] as const;
export type Movement = (typeof movements)[number];

/** SQL: the movement of an entry `e` of receivables. */
const MOVEMENT = `case
    when e.reason in ('issue', 'change') then 'invoiced'
    when e.reason = 'late_fee' then 'fees'
    when e.reason in ('void', 'delete') then 'voided'
    when e.reason in ('application', 'unapply') and e.credit_note_id is not null then 'credited'
    when e.reason in ('application', 'unapply') then 'paid'
    when e.reason = 'early_discount' then 'discounts'
    when e.reason in ('refund', 'return', 'dispute') then 'returned'
    when e.reason in ('write_off', 'reopen') then 'written_off'
    else 'other' end`;

export interface RollForwardRow {
  currency: string;
  opening: string;
  /** By movement, decimal text. */
  sums: Record<Movement, string>;
  closing: string;
}

/** Receivables of each currency: before the days, what moved them, and at their end. */
export async function rollForward(em: EntityManager, asked: Asked): Promise<RollForwardRow[]> {
  const where = known(asked, condition("e.ledger_account = 'receivable'"));
  const limited = limits(asked, 'm.currency');
  const { from } = asked.days;
  const sums = movements
    .map((one) => `'${one}', coalesce(sum(amount) filter (where kind = '${one}'), 0)::text`)
    .join(', ');
  return em.execute<RollForwardRow[]>(
    `select m.currency, coalesce(sum(amount) filter (where kind = 'opening'), 0)::text as opening, json_build_object(${sums}) as sums,
       sum(amount)::text as closing
     from (
       select ${CUSTOMER} as customer_id, e.currency, case when ${EFFECTIVE} < ? then 'opening' else ${MOVEMENT} end as kind, sum(e.amount) as amount
       from ${ENTRY} where ${where.sql} group by 1, 2, 3
     ) m join customer c on c.account_id = ? and c.id = m.customer_id where ${limited.sql}
     group by 1 order by 1`,
    [from, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface CashRow {
  day: string;
  method: string;
  currency: string;
  count: number;
  received: string;
  returned: string;
}

/** Money that came and went back, by day and method. Entries of the cash and clearing accounts. */
export async function cashReceived(em: EntityManager, asked: Asked): Promise<CashRow[]> {
  const isCash = condition("(e.ledger_account = 'cash' or e.ledger_account like 'clearing:%')");
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), isCash);
  const limited = limits(asked, 'm.currency');
  return em.execute<CashRow[]>(
    `select m.day::text, m.method, m.currency, count(distinct m.payment_id) filter (where m.amount > 0)::int as count,
       coalesce(sum(m.amount) filter (where m.amount > 0), 0)::text as received, coalesce(-sum(m.amount) filter (where m.amount < 0), 0)::text as returned
     from (
       select (${EFFECTIVE} at time zone ?)::date as day, coalesce(p.method, 'other') as method, e.currency, e.payment_id, p.customer_id, e.amount
       from ${ENTRY} where ${where.sql}
     ) m left join customer c on c.account_id = ? and c.id = m.customer_id where ${limited.sql}
     group by 1, 2, 3 order by m.currency, 1, 2`,
    [asked.zone, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface UnappliedRow {
  customer: number | null;
  name: string;
  payment: number;
  day: string;
  method: string;
  reference: string;
  currency: string;
  amount: string;
}

/** Payments with money that is applied to nothing at the end of the days. */
export async function unappliedMoney(em: EntityManager, asked: Asked, limit: number): Promise<UnappliedRow[]> {
  const where = known(asked, condition("e.ledger_account = 'unapplied'"));
  const limited = limits(asked, 'u.currency');
  return em.execute<UnappliedRow[]>(
    `select c.id as customer, coalesce(c.name, '') as name, p.id as payment, (p.date at time zone ?)::date::text as day, p.method,
       coalesce(p.reference, '') as reference, u.currency, u.amount::text
     from (select e.payment_id, e.currency, -sum(e.amount) as amount from ${ENTRY} where ${where.sql} group by 1, 2 having sum(e.amount) <> 0) u
     join payment p on p.account_id = ? and p.id = u.payment_id
     left join customer c on c.account_id = p.account_id and c.id = p.customer_id
     where ${limited.sql} order by u.currency, p.date, p.id limit ${limit}`,
    [asked.zone, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface WriteOffRow {
  customer: number;
  name: string;
  invoice: number;
  number: string;
  day: string;
  reason: string;
  currency: string;
  amount: string;
}

/** What was written off of each invoice on each of the days, and taken back. */
export async function writtenOff(em: EntityManager, asked: Asked, limit: number): Promise<WriteOffRow[]> {
  const ofWriteOffs = condition("e.ledger_account = 'receivable' and e.reason in ('write_off', 'reopen')");
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), ofWriteOffs);
  const limited = limits(asked, 'w.currency');
  return em.execute<WriteOffRow[]>(
    `select c.id as customer, coalesce(c.name, '') as name, i.id as invoice, coalesce(i.number, '') as number, w.day::text,
       coalesce(i.write_off_reason, '') as reason, w.currency, w.amount::text
     from (select e.invoice_id, e.currency, (${EFFECTIVE} at time zone ?)::date as day, -sum(e.amount) as amount from ${ENTRY}
       where ${where.sql} group by 1, 2, 3 having sum(e.amount) <> 0) w
     join invoice i on i.account_id = ? and i.id = w.invoice_id join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where ${limited.sql} order by w.currency, w.day, i.id limit ${limit}`,
    [asked.zone, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface CreditRow {
  customer: number;
  name: string;
  currency: string;
  balance: string;
  notes: string;
  deposits: string;
}

/** The credit of each customer at the end of the days: its credit balance, open credit notes and deposits of estimates. */
export async function openCredits(em: EntityManager, asked: Asked): Promise<CreditRow[]> {
  const where = known(asked, condition("e.ledger_account like 'customer_credits%'"));
  const limited = limits(asked, 'm.currency');
  const of = (account: string) => `coalesce(-sum(m.amount) filter (where m.ledger_account = '${account}'), 0)::text`;
  return em.execute<CreditRow[]>(
    `with recursive ${ROOTS}
     select c.id as customer, coalesce(c.name, '') as name, m.currency, ${of('customer_credits')} as balance,
       ${of('customer_credits:notes')} as notes, ${of('customer_credits:deposits')} as deposits
     from (
       select ${CUSTOMER} as customer_id, e.ledger_account, e.currency, sum(e.amount) as amount from ${ENTRY}
       where ${where.sql} group by 1, 2, 3 having sum(e.amount) <> 0
     ) m join root r on r.id = m.customer_id join customer c on c.account_id = ? and c.id = r.final
     where ${limited.sql} group by c.id, c.name, m.currency order by m.currency, c.name, c.id`,
    [asked.accountId, asked.accountId, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface MoneyBackRow {
  customer: number | null;
  name: string;
  payment: number;
  day: string;
  kind: string;
  method: string;
  currency: string;
  amount: string;
}

/** Money that went back on each of the days: refunds, returned debits and disputes. What came back of it is negative. */
export async function moneyBack(em: EntityManager, asked: Asked, limit: number): Promise<MoneyBackRow[]> {
  const isBack = condition(
    "e.reason in ('refund', 'return', 'dispute') and e.ledger_account in ('unapplied', 'refunds') and e.payment_id is not null",
  );
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), isBack);
  const limited = limits(asked, 'b.currency');
  return em.execute<MoneyBackRow[]>(
    `select c.id as customer, coalesce(c.name, '') as name, p.id as payment, b.day::text, b.kind, p.method, b.currency, b.amount::text
     from (select e.payment_id, e.reason as kind, e.currency, (${EFFECTIVE} at time zone ?)::date as day, sum(e.amount) as amount from ${ENTRY}
       where ${where.sql} group by 1, 2, 3, 4 having sum(e.amount) <> 0) b
     join payment p on p.account_id = ? and p.id = b.payment_id
     left join customer c on c.account_id = p.account_id and c.id = p.customer_id
     where ${limited.sql} order by b.currency, b.day, p.id limit ${limit}`,
    [asked.zone, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface MonthRow {
  currency: string;
  /** First day of the month. */
  month: string;
  sales: string;
}

/** What was invoiced in each local month before the end of the days, latest first: entries of `invoiced` less what was voided. */
export async function salesByMonth(em: EntityManager, asked: Asked, months: number): Promise<MonthRow[]> {
  const ofSales = condition("e.ledger_account = 'receivable' and e.reason in ('issue', 'change', 'void', 'delete')");
  const since = condition(
    `${EFFECTIVE} >= (?::date - ?::int * interval '1 month') at time zone ?`,
    asked.days.lastDay,
    months,
    asked.zone,
  );
  const where = known(asked, ofSales, since);
  const limited = limits(asked, 's.currency');
  return em.execute<MonthRow[]>(
    `select s.currency, s.month::text, sum(s.amount)::text as sales from (
       select i.customer_id, e.currency, date_trunc('month', ${EFFECTIVE} at time zone ?)::date as month, e.amount from ${ENTRY} where ${where.sql}
     ) s join customer c on c.account_id = ? and c.id = s.customer_id where ${limited.sql} group by 1, 2 order by 1, 2 desc`,
    [asked.zone, ...where.values, asked.accountId, ...limited.values],
  );
}
