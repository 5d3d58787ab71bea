import { type Asked, type Movement, movements } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { currentOwner } from '../../tenant.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { EFFECTIVE, ENTRY, entriesOf, known, limits } from './receivables.ts';

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
  const entries = entriesOf(asked, []);
  const { from } = asked.days;
  return em.execute<BalanceRow[]>(
    `select ledger_account as "ledgerAccount", currency, coalesce(sum(amount) filter (where at < ?), 0)::text as opening,
       coalesce(sum(amount) filter (where at >= ? and amount > 0), 0)::text as debits,
       coalesce(-sum(amount) filter (where at >= ? and amount < 0), 0)::text as credits, sum(amount)::text as closing
     from (select e.ledger_account, e.currency, e.amount, ${EFFECTIVE} as at from ${entries.sql}) entry
     group by 1, 2 order by currency, 1`,
    [from, from, from, ...entries.values],
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
  limit: number;
  ledgerAccount: string | null;
  movement: string | null;
}

/** The entries of the days, in the order of posting. */
export async function journal(
  em: EntityManager,
  asked: Asked,
  { limit, ledgerAccount, movement }: JournalPart,
): Promise<JournalRow[]> {
  const parts = [
    condition(`${EFFECTIVE} >= ?`, asked.days.from),
    ...(ledgerAccount === null ? [] : [condition('e.ledger_account = ?', ledgerAccount)]),
    ...(movement === null ? [] : [condition(`e.ledger_account = 'receivable' and ${MOVEMENT} = ?`, movement)]),
  ];
  const where = known(asked, ...parts);
  return em.execute<JournalRow[]>(
    `select e.id, e.posting, (${EFFECTIVE} at time zone ?)::date::text as date, e.ledger_account as "ledgerAccount",
       e.currency, e.amount::text, e.reason, e.customer_id as customer, e.invoice_id as invoice, e.payment_id as payment,
       e.credit_note_id as "creditNote"
     from ${ENTRY} where ${where.sql} order by e.id limit ${limit}`,
    [asked.zone, ...where.values],
  );
}

export interface RollForwardRow {
  currency: string;
  opening: string;
  /** By movement, decimal text. */
  sums: Record<Movement, string>;
  closing: string;
}

/**
 * SQL: sums `s` of entries of receivables of those customers that are asked for. `?`: the values of `entries`, then those of the condition. The invoices are
 * joined only if not all customers are asked for.
 */
function sumsOfCustomers(asked: Asked, keys: string, entries: Condition): Condition {
  const limited = limits({ ...asked, currency: null }, 's.currency');
  const isAll = limited.values.length === 0 && currentOwner() === null;
  if (isAll)
    return condition(
      `(select ${keys}, sum(e.amount) as amount from ${entries.sql} group by 1, 2) s`,
      ...entries.values,
    );
  return condition(
    `(select ${keys}, e.invoice_id, sum(e.amount) as amount from ${entries.sql} group by 1, 2, 3) s
     join invoice o on o.account_id = ? and o.id = s.invoice_id join customer c on c.account_id = o.account_id and c.id = o.customer_id and ${limited.sql}`,
    ...entries.values,
    asked.accountId,
    ...limited.values,
  );
}

/** Receivables of each currency: before the days, what moved them, and at their end. */
export async function rollForward(em: EntityManager, asked: Asked): Promise<RollForwardRow[]> {
  const { from } = asked.days;
  const entries = entriesOf(asked, [condition("e.ledger_account = 'receivable'")]);
  const kind = `case when ${EFFECTIVE} < ? then 'opening' else ${MOVEMENT} end as kind`;
  const of = sumsOfCustomers(asked, `e.currency, ${kind}`, { ...entries, values: [from, ...entries.values] });
  const sums = movements
    .map((one) => `'${one}', coalesce(sum(amount) filter (where kind = '${one}'), 0)::text`)
    .join(', ');
  return em.execute<RollForwardRow[]>(
    `select s.currency, coalesce(sum(amount) filter (where kind = 'opening'), 0)::text as opening, json_build_object(${sums}) as sums,
       sum(amount)::text as closing
     from ${of.sql} group by 1 order by 1`,
    [...of.values],
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
  const entries = entriesOf(asked, [ofSales, since]);
  const month = `date_trunc('month', ${EFFECTIVE} at time zone ?)::date as month`;
  const of = sumsOfCustomers(asked, `e.currency, ${month}`, { ...entries, values: [asked.zone, ...entries.values] });
  return em.execute<MonthRow[]>(
    `select s.currency, s.month::text, sum(s.amount)::text as sales from ${of.sql} group by 1, 2 order by 1, 2 desc`,
    [...of.values],
  );
}
