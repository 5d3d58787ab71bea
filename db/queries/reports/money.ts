import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import type { Statement } from '../kernel/slices.ts';
import { condition } from '../kernel/sql.ts';
import { creditOf, EFFECTIVE, entriesOf, limits, MERGED, PAYMENT, remaining } from './receivables.ts';

export interface CashRow {
  /** Null: of all payments. */
  customer: number | null;
  name: string;
  payment: number | null;
  date: string;
  method: string;
  currency: string;
  count: number;
  received: string;
  returned: string;
  fees: string;
}

/** SQL: the method of an entry `e` of money; `credit`: it has no payment. */
const METHOD = `coalesce(p.method, 'credit')`;

/** SQL: what an entry `e` of cash or of a gateway is. */
const CASH_KIND = `case when e.reason in ('refund', 'return', 'dispute') then 'returned' when e.reason = 'gateway_fee' then 'fees' else 'received' end`;

/** Null: of all methods. `isByPayment`: a row for each payment, too. */
export interface CashPart {
  isByPayment: boolean;
  method: string | null;
}

/**
 * Money that came and went, by day and method, from the entries of cash and of the gateways. A corrected or voided payment counts as it is
 * now.
 */
export function cashReceived(asked: Asked, { isByPayment, method }: CashPart): Statement<CashRow> {
  // EFFECTIVE of money is never later than the date of its document, by which it has an index.
  const isCash = condition(
    "(e.ledger_account = 'cash' or e.ledger_account like 'clearing:%') and e.document_at >= ?",
    asked.days.from,
  );
  const ofMethod = method === null ? [] : [condition(`${METHOD} = ?`, method)];
  const entries = entriesOf(asked, [condition(`${EFFECTIVE} >= ?`, asked.days.from), isCash, ...ofMethod], PAYMENT);
  const limited = limits(asked, 'm.currency');
  const of = (kind: string) => `coalesce(sum(m.amount) filter (where m.kind = '${kind}'), 0)`;
  const payment = isByPayment ? "c.id, coalesce(c.name, '')::text, m.payment_id" : "null::int, ''::text, null::int";
  return condition(
    `select t.day::text as date, t.method, t.currency, t.customer, t.name, t.payment, t.count, t.received::text, t.returned::text, t.fees::text from (
       select m.day, m.method, m.currency, ${payment}, count(*) filter (where m.kind = 'received' and m.amount > 0)::int,
         ${of('received')}, -${of('returned')}, -${of('fees')}
       from (
         select (${EFFECTIVE} at time zone ?)::date as day, ${METHOD} as method, e.currency, e.payment_id, ${CASH_KIND} as kind,
           coalesce(p.customer_id, e.customer_id) as customer_id, sum(e.amount) as amount
         from ${entries.sql} group by 1, 2, 3, 4, 5, 6 having sum(e.amount) <> 0
       ) m left join customer c on c.account_id = ? and c.id = m.customer_id where ${limited.sql}
       group by 1, 2, 3, 4, 5, 6
     ) t (day, method, currency, customer, name, payment, count, received, returned, fees)
     order by t.currency, t.day, t.method, t.payment`,
    asked.zone,
    ...entries.values,
    asked.accountId,
    ...limited.values,
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
  const entries = entriesOf(asked, [condition("e.ledger_account = 'unapplied'")]);
  const limited = limits(asked, 'u.currency');
  return condition(
    `select c.id as customer, coalesce(c.name, '') as name, p.id as payment, (p.date at time zone ?)::date::text as date, p.method,
       coalesce(p.reference, '') as reference, u.currency, u.amount::text
     from (select e.payment_id, e.currency, -sum(e.amount) as amount from ${entries.sql} group by 1, 2 having sum(e.amount) <> 0) u
     join payment p on p.account_id = ? and p.id = u.payment_id
     left join customer c on c.account_id = p.account_id and c.id = p.customer_id
     where ${limited.sql} order by u.currency, p.date, p.id`,
    asked.zone,
    ...entries.values,
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

/** What was written off of each invoice on each of the days, and taken back. Voids and deletions count as far as they were known. */
export function writtenOff(asked: Asked): Statement<WriteOffRow> {
  const { knownAt } = asked;
  const ofWriteOffs = condition(
    `e.ledger_account = 'receivable' and e.reason in ('write_off', 'reopen')
       and (i.voided_at is null or i.voided_at > ?) and (i.deleted_at is null or i.deleted_at > ?)`,
    knownAt,
    knownAt,
  );
  const entries = entriesOf(asked, [condition(`${EFFECTIVE} >= ?`, asked.days.from), ofWriteOffs]);
  const limited = limits(asked, 'w.currency');
  return condition(
    `select c.id as customer, coalesce(c.name, '') as name, i.id as invoice, coalesce(i.number, '') as number, w.day::text as date,
       coalesce(i.write_off_reason, '') as reason, w.currency, w.amount::text
     from (select e.invoice_id, e.currency, (${EFFECTIVE} at time zone ?)::date as day, -sum(e.amount) as amount from ${entries.sql}
       group by 1, 2, 3 having sum(e.amount) <> 0) w
     join invoice i on i.account_id = ? and i.id = w.invoice_id join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where ${limited.sql} order by w.currency, w.day, i.id`,
    asked.zone,
    ...entries.values,
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
  const credit = creditOf(asked);
  const limited = limits(asked, 'm.currency');
  const of = (account: string) => `coalesce(-sum(m.amount) filter (where m.ledger_account = '${account}'), 0)::text`;
  return em.execute<CreditRow[]>(
    `with recursive ${MERGED}
     select c.id as customer, coalesce(c.name, '') as name, m.currency, ${of('customer_credits')} as balance,
       ${of('customer_credits:notes')} as notes, ${of('customer_credits:deposits')} as deposits
     from (${credit.sql}) m ${remaining('m.customer_id')}
     where ${limited.sql} group by c.id, c.name, m.currency order by m.currency, c.name, c.id`,
    [asked.accountId, asked.accountId, ...credit.values, asked.accountId, ...limited.values],
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
  /** What banks hold of the payment; `date`: when they took it last. */
  held: string;
}

/**
 * Money that went back on each of the days, from the entries of cash, gateways and disputes: refunds, returned debits and lost disputes. A
 * refund of credit has no payment. At the end, what banks hold because of disputes that are open at the end of the days.
 */
export function moneyBack(asked: Asked): Statement<MoneyBackRow> {
  const isBack = condition(
    "e.reason in ('refund', 'return', 'dispute') and (e.ledger_account in ('cash', 'disputes') or e.ledger_account like 'clearing:%')",
  );
  const entries = entriesOf(asked, [condition(`${EFFECTIVE} >= ?`, asked.days.from), isBack], PAYMENT);
  const disputed = entriesOf(asked, [condition("e.ledger_account = 'disputes'")]);
  const limited = limits(asked, 'b.currency');
  return condition(
    `select c.id as customer, coalesce(c.name, '') as name, b.payment_id as payment, b.day::text as date, b.kind, coalesce(b.method, 'credit') as method,
       b.currency, b.amount::text, b.held::text
     from (
       select 1 as part, e.payment_id, p.method, coalesce(p.customer_id, e.customer_id) as customer_id, e.reason as kind, e.currency,
         (${EFFECTIVE} at time zone ?)::date as day, -sum(e.amount) as amount, 0 as held
       from ${entries.sql} group by 2, 3, 4, 5, 6, 7 having sum(e.amount) <> 0
       union all
       select 2, h.payment_id, p.method, p.customer_id, 'open_dispute', h.currency, (h.at at time zone ?)::date, 0, h.held
       from (select e.payment_id, e.currency, max(e.posted_at) filter (where e.amount > 0) as at, sum(e.amount) as held from ${disputed.sql}
         group by 1, 2 having sum(e.amount) <> 0) h
       join payment p on p.account_id = ? and p.id = h.payment_id
     ) b left join customer c on c.account_id = ? and c.id = b.customer_id
     where ${limited.sql} order by b.part, b.currency, b.day, b.payment_id`,
    asked.zone,
    ...entries.values,
    asked.zone,
    ...disputed.values,
    asked.accountId,
    asked.accountId,
    ...limited.values,
  );
}
