import { type Asked, type Movement, movements } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import type { Statement } from '../kernel/slices.ts';
import { condition } from '../kernel/sql.ts';
import { CUSTOMER, EFFECTIVE, ENTRY, known, limits } from './receivables.ts';

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

/** SQL: the movement of an entry `e` of receivables. */
const MOVEMENT = `case
    when e.reason in ('issue', 'change') then 'invoiced'
    when e.reason = 'late_fee' then 'fees'
    when e.reason in ('void', 'delete') then 'voided'
    when e.reason in ('application', 'unapply') and e.credit_note_id is not null then 'credited'
    when e.reason in ('application', 'unapply') then 'paid'
    when e.reason = 'early_discount' then 'discounts'
    when e.reason = 'take_back' then 'returned'
    when e.reason in ('write_off', 'reopen') then 'written_off'
    else 'other' end`;

export interface JournalRow {
  id: number;
  posting: string;
  date: string;
  ledgerAccount: string;
  currency: string;
  amount: string;
  reason: string;
  customer: number | null;
  invoice: number | null;
  payment: number | null;
  creditNote: number | null;
}

/** Null: of all ledger accounts, of all movements of receivables. */
export interface JournalPart {
  ledgerAccount: string | null;
  movement: string | null;
}

/** The entries of the days, in the order of posting. */
export function journal(asked: Asked, { ledgerAccount, movement }: JournalPart): Statement<JournalRow> {
  const parts = [
    condition(`${EFFECTIVE} >= ?`, asked.days.from),
    ...(ledgerAccount === null ? [] : [condition('e.ledger_account = ?', ledgerAccount)]),
    ...(movement === null ? [] : [condition(`e.ledger_account = 'receivable' and ${MOVEMENT} = ?`, movement)]),
  ];
  const where = known(asked, ...parts);
  return condition(
    `select e.id, e.posting, (${EFFECTIVE} at time zone ?)::date::text as date, e.ledger_account as "ledgerAccount",
       e.currency, e.amount::text, e.reason, e.customer_id as customer, e.invoice_id as invoice, e.payment_id as payment,
       e.credit_note_id as "creditNote"
     from ${ENTRY} where ${where.sql} order by e.id`,
    asked.zone,
    ...where.values,
  );
}

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

export interface MonthRow {
  currency: string;
  /** First day of the month. */
  month: string;
  sales: string;
}

/** What was invoiced in each local month before the end of the days, latest first: with late fees, less what was voided. */
export async function salesByMonth(em: EntityManager, asked: Asked, months: number): Promise<MonthRow[]> {
  const ofSales = condition(
    "e.ledger_account = 'receivable' and e.reason in ('issue', 'change', 'late_fee', 'void', 'delete')",
  );
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
