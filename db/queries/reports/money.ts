import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import type { Statement } from '../kernel/slices.ts';
import { condition } from '../kernel/sql.ts';
import { CUSTOMER, EFFECTIVE, ENTRY, known, limits, ROOTS } from './receivables.ts';

export interface CashRow {
  date: string;
  method: string;
  currency: string;
  count: number;
  received: string;
  returned: string;
  fees: string;
}

/** SQL: what an entry `e` of cash or of a gateway is. */
const CASH_KIND = `case when e.reason in ('refund', 'return', 'dispute') then 'returned' when e.reason = 'gateway_fee' then 'fees' else 'received' end`;

/**
 * Money that came and went, by day and method, from the entries of cash and of the gateways. A corrected or voided payment counts as it is
 * now.
 */
export async function cashReceived(em: EntityManager, asked: Asked): Promise<CashRow[]> {
  const isCash = condition("(e.ledger_account = 'cash' or e.ledger_account like 'clearing:%')");
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), isCash);
  const limited = limits(asked, 'm.currency');
  const of = (kind: string) => `coalesce(sum(m.amount) filter (where m.kind = '${kind}'), 0)`;
  return em.execute<CashRow[]>(
    `select m.day::text as date, m.method, m.currency, count(*) filter (where m.kind = 'received' and m.amount > 0)::int as count,
       ${of('received')}::text as received, (-${of('returned')})::text as returned, (-${of('fees')})::text as fees
     from (
       select (${EFFECTIVE} at time zone ?)::date as day, coalesce(p.method, 'credit') as method, e.currency, e.payment_id, ${CASH_KIND} as kind,
         coalesce(p.customer_id, e.customer_id) as customer_id, sum(e.amount) as amount
       from ${ENTRY} where ${where.sql} group by 1, 2, 3, 4, 5, 6 having sum(e.amount) <> 0
     ) m left join customer c on c.account_id = ? and c.id = m.customer_id where ${limited.sql}
     group by 1, 2, 3 order by m.currency, 1, 2`,
    [asked.zone, ...where.values, asked.accountId, ...limited.values],
  );
}

export interface UnappliedRow {
  customer: number | null;
  name: string;
  payment: number;
  date: string;
  method: string;
  reference: string;
  currency: string;
  amount: string;
}

/** Payments with money that is applied to nothing at the end of the days. */
export function unappliedMoney(asked: Asked): Statement<UnappliedRow> {
  const where = known(asked, condition("e.ledger_account = 'unapplied'"));
  const limited = limits(asked, 'u.currency');
  return condition(
    `select c.id as customer, coalesce(c.name, '') as name, p.id as payment, (p.date at time zone ?)::date::text as date, p.method,
       coalesce(p.reference, '') as reference, u.currency, u.amount::text
     from (select e.payment_id, e.currency, -sum(e.amount) as amount from ${ENTRY} where ${where.sql} group by 1, 2 having sum(e.amount) <> 0) u
     join payment p on p.account_id = ? and p.id = u.payment_id
     left join customer c on c.account_id = p.account_id and c.id = p.customer_id
     where ${limited.sql} order by u.currency, p.date, p.id`,
    asked.zone,
    ...where.values,
    asked.accountId,
    ...limited.values,
  );
}

export interface WriteOffRow {
  customer: number;
  name: string;
  invoice: number;
  number: string;
  date: string;
  reason: string;
  currency: string;
  amount: string;
}

/** What was written off of each invoice on each of the days, and taken back. */
export function writtenOff(asked: Asked): Statement<WriteOffRow> {
  const ofWriteOffs = condition(
    "e.ledger_account = 'receivable' and e.reason in ('write_off', 'reopen') and i.voided_at is null and i.deleted_at is null",
  );
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), ofWriteOffs);
  const limited = limits(asked, 'w.currency');
  return condition(
    `select c.id as customer, coalesce(c.name, '') as name, i.id as invoice, coalesce(i.number, '') as number, w.day::text as date,
       coalesce(i.write_off_reason, '') as reason, w.currency, w.amount::text
     from (select e.invoice_id, e.currency, (${EFFECTIVE} at time zone ?)::date as day, -sum(e.amount) as amount from ${ENTRY}
       where ${where.sql} group by 1, 2, 3 having sum(e.amount) <> 0) w
     join invoice i on i.account_id = ? and i.id = w.invoice_id join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where ${limited.sql} order by w.currency, w.day, i.id`,
    asked.zone,
    ...where.values,
    asked.accountId,
    ...limited.values,
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
  payment: number | null;
  date: string;
  kind: string;
  method: string;
  currency: string;
  amount: string;
}

/**
 * Money that went back on each of the days, from the entries of cash, gateways and disputes: refunds, returned debits and lost disputes. A
 * refund of credit has no payment.
 */
export function moneyBack(asked: Asked): Statement<MoneyBackRow> {
  const isBack = condition(
    "e.reason in ('refund', 'return', 'dispute') and (e.ledger_account in ('cash', 'disputes') or e.ledger_account like 'clearing:%')",
  );
  const where = known(asked, condition(`${EFFECTIVE} >= ?`, asked.days.from), isBack);
  const limited = limits(asked, 'b.currency');
  return condition(
    `select c.id as customer, coalesce(c.name, '') as name, b.payment_id as payment, b.day::text as date, b.kind, coalesce(b.method, 'credit') as method,
       b.currency, b.amount::text
     from (
       select e.payment_id, p.method, coalesce(p.customer_id, e.customer_id) as customer_id, e.reason as kind, e.currency,
         (${EFFECTIVE} at time zone ?)::date as day, -sum(e.amount) as amount
       from ${ENTRY} where ${where.sql} group by 1, 2, 3, 4, 5, 6 having sum(e.amount) <> 0
     ) b left join customer c on c.account_id = ? and c.id = b.customer_id
     where ${limited.sql} order by b.currency, b.day, b.payment_id`,
    asked.zone,
    ...where.values,
    asked.accountId,
    ...limited.values,
  );
}
