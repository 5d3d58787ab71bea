import {
  MOST_LATE_INVOICES,
  MOST_STATEMENT_LINES,
  movementTypes,
  type StatementFacts,
  type StatementItems,
  type StatementRange,
  type StatementType,
} from '../../../billing/documents/statement.ts';
import type { EntityManager } from '../../orm.ts';
import { ACTIVE_PLAN } from '../chasing/chased.ts';

export interface StatementKey {
  accountId: number;
  customerId: number;
  currency: string;
  type: StatementType;
  items: StatementItems;
  range: StatementRange;
  /** Entries that were posted later are left out, so that a mail and its PDF agree. */
  knownAt: Date;
}

/** Ledger accounts of a customer's money and credit. */
const CREDITS = `'customer_credits', 'customer_credits:notes', 'customer_credits:deposits'`;

const TYPE = `case
    when e.reason in ('issue', 'change', 'void', 'delete') then case when e.credit_note_id is null then 'invoice' else 'credit_note' end
    when e.reason in ('receipt', 'void_payment') then 'payment'
    when e.reason in ('application', 'unapply', 'take_back') then case when e.invoice_id is null then 'convenience_fee' else 'transfer' end
    when e.reason in ('write_off', 'reopen') then case when e.credit_note_id is null then 'write_off' else 'forfeit' end
    when e.reason = 'merge' then 'adjustment' else e.reason end`;

/**
 * When an entry counts: on the date of its document, or when it was posted if that is earlier, as for a document with a future date. A late
 * fee and a write-off count when they were posted: the date of the entry is that of the invoice. Credit counts from its own date, also when
 * that is in the future.
 */
const AT = `case
    when e.reason in ('late_fee', 'write_off', 'reopen') then e.posted_at
    when e.reason = 'adjustment' or (e.reason in ('application', 'unapply', 'take_back') and e.invoice_id is null) then e.document_at
    else least(e.document_at, e.posted_at) end`;

/**
 * A customer's entries, each with its owner. A receivable belongs to the invoice's customer, money to the payment's. Credit belongs to the
 * customer of the entry, or to the one into which that customer was merged. A voided invoice has no entries. On an active payment plan,
 * what the invoice owes is owed by the last installments, because payments pay the first ones.
 */
const ENTRY = `with recursive merged as (
    select ?::int as id union select c.id from merged m join customer c on c.account_id = ? and c.merged_into_id = m.id
  ), own as (
    select e.* from invoice i join ledger_entry e on e.account_id = i.account_id and e.invoice_id = i.id
    where i.account_id = ? and i.customer_id = ? and e.ledger_account = 'receivable' and (i.voided_at is null or i.voided_at > ?)
    union all
    select e.* from payment p join ledger_entry e on e.account_id = p.account_id and e.payment_id = p.id
    where p.account_id = ? and p.customer_id = ? and (e.ledger_account = 'unapplied'
      or (e.ledger_account in (${CREDITS}) and e.customer_id in (select id from merged)))
    union all
    select e.* from ledger_entry e
    where e.account_id = ? and e.customer_id in (select id from merged) and e.invoice_id is null and e.payment_id is null
      and e.ledger_account in (${CREDITS})
  ), entry as materialized (
    select ${TYPE} as type, e.invoice_id, e.payment_id, e.credit_note_id, e.refund_id, e.ledger_account, e.amount, ${AT} as at
    from own e where e.currency = ? and e.posted_at <= ?
  ), known as materialized (select * from entry where at < ?),
  owing as materialized (
    select invoice_id, sum(amount) as amount from known where ledger_account = 'receivable' group by invoice_id having sum(amount) <> 0
  ),
  open as materialized (
    select i.id, i.token, i.number, i.date, i.due_at, i.time_zone as zone, o.amount, p.installments,
      i.issued_at is not null and i.voided_at is null and not i.paid and not i.closed as is_payable
    from owing o join invoice i on i.account_id = ? and i.id = o.invoice_id left join ${ACTIVE_PLAN} and o.amount > 0
  ),
  owed as materialized (
    select id, token, number, date, is_payable, due_at, (due_at at time zone zone)::date as day, amount, false as is_part
    from open where installments is null
    union all
    select o.id, o.token, o.number, o.date, o.is_payable, d.at, (d.at at time zone o.zone)::date, d.amount, true
    from open o cross join lateral (
      select at, least(part, greatest(o.amount - later, 0)) + case when later = 0 then greatest(o.amount - whole, 0) else 0 end as amount
      from (
        select to_timestamp((one ->> 'date')::float8 / 1000) as at, (one ->> 'amount')::numeric as part,
          sum((one ->> 'amount')::numeric) over () as whole,
          coalesce(sum((one ->> 'amount')::numeric) over (order by n desc rows between unbounded preceding and 1 preceding), 0) as later
        from jsonb_array_elements(o.installments) with ordinality as listed(one, n)) installment
    ) d where o.installments is not null and d.amount <> 0
  )`;

/**
 * Sums up what one document posts at one time. An application that moves money between the customer's own accounts sums to zero, and is
 * left out.
 */
const MOVEMENTS = `line as materialized (
    select type, invoice_id, payment_id, credit_note_id, refund_id, at, sum(amount) as amount from known
    group by type, invoice_id, payment_id, credit_note_id, refund_id, at having sum(amount) <> 0
  )`;

const OPEN_ITEMS = `line as materialized (
    select 'invoice' as type, id as invoice_id, null::int as payment_id, null::int as credit_note_id, null::int as refund_id, date as at, amount
    from open where ? = 'open'
    union all
    select 'invoice', id, null, null, null, date, sum(amount) from owed where ? = 'past_due' and day < ?::date group by id, date
    union all
    select * from (
      select case k.ledger_account when 'unapplied' then 'payment' when 'customer_credits:notes' then 'credit_note'
          when 'customer_credits' then 'credit_balance' else 'deposit' end as type, null::int as invoice_id,
        case k.ledger_account when 'unapplied' then k.payment_id end as payment_id,
        case k.ledger_account when 'customer_credits:notes' then k.credit_note_id end as credit_note_id, null::int as refund_id,
        max(case k.ledger_account when 'unapplied' then p.date when 'customer_credits:notes' then n.date end) as at,
        sum(k.amount) as amount
      from known k left join payment p on p.account_id = ? and p.id = k.payment_id
        left join credit_note n on n.account_id = ? and n.id = k.credit_note_id
      where k.ledger_account <> 'receivable' and ? = 'open'
      group by 1, 2, 3, 4, 5 having sum(k.amount) <> 0
    ) credit
  )`;

const ranks = `'{${[...movementTypes, 'credit_balance', 'deposit'].join(',')}}'::text[]`;
/** SQL: the order of lines `l`. Those without a date come last. */
const order = `l.at, array_position(${ranks}, l.type), l.invoice_id, l.payment_id, l.credit_note_id, l.refund_id`;
const reversed = order
  .split(/,(?![^(]*\))/)
  .map((column) => `${column} desc`)
  .join(',');

const ANSWER = `, overdue as (select * from owed where day < ?::date and amount > 0), late as (
    select id, token, number, is_payable, due_at, day, amount from overdue where not is_part
    union all
    select id, token, number, is_payable, min(due_at), min(day), sum(amount) from overdue where is_part group by 1, 2, 3, 4
  ), within as materialized (select * from line where at is null or at >= coalesce(?::timestamptz, '-infinity')),
  listed as materialized (select l.* from within l order by ${reversed} limit ${MOST_STATEMENT_LINES})
  select exists (select 1 from entry) as "isUsed",
    (select coalesce(sum(amount), 0)::text from line where at < ?::timestamptz) as opening,
    (select json_build_object('count', count(*) - (select count(*) from listed),
        'amount', (coalesce(sum(amount), 0) - (select coalesce(sum(amount), 0) from listed))::text) from within) as earlier,
    (select json_build_object(
        'receivable', coalesce(sum(amount) filter (where ledger_account = 'receivable'), 0)::text,
        'unapplied', coalesce(sum(amount) filter (where ledger_account = 'unapplied'), 0)::text,
        'deposits', coalesce(sum(amount) filter (where ledger_account = 'customer_credits:deposits'), 0)::text,
        'credits', coalesce(sum(amount) filter (where ledger_account in ('customer_credits', 'customer_credits:notes')), 0)::text)
      from known) as sums,
    (select coalesce(json_agg(json_build_object('day', day, 'amount', amount::text)), '[]') from (
        select day, sum(amount) as amount from owed group by 1) by_day) as owed,
    (select json_build_object('count', count(*), 'amount', coalesce(sum(amount), 0)::text,
        'listed', coalesce(json_agg(json_build_object('id', id, 'token', token, 'number', number, 'dueAt', due_at, 'dueOn', day,
          'amount', amount::text, 'isPayable', is_payable) order by place) filter (where place <= ${MOST_LATE_INVOICES}), '[]'))
      from (select *, row_number() over (order by due_at, id) as place from late) placed) as late,
    (select json_build_object('id', id, 'token', token, 'number', number) from owed where is_payable and amount > 0
      order by due_at, id limit 1) as payable,
    (select coalesce(json_agg(json_build_object('type', l.type, 'date', l.at, 'dueAt', i.due_at,
          'dueOn', case when l.type = 'invoice' then (i.due_at at time zone i.time_zone)::date end,
          'number', case l.type when 'payment' then coalesce(p.receipt_number, p.reference)
            else coalesce(i.number, n.number, p.receipt_number, p.reference) end,
          'reference', case when l.refund_id is not null then r.reference
            when l.type = 'payment' and p.charge_id is null and p.receipt_number is not null then p.reference end,
          'method', case l.type when 'payment' then p.method else r.method end,
          'isGatewayReference', p.charge_id is not null and i.number is null and n.number is null and p.receipt_number is null,
          'invoiceId', l.invoice_id, 'paymentId', l.payment_id, 'creditNoteId', l.credit_note_id, 'refundId', l.refund_id, 'amount', l.amount::text)
        order by ${order}), '[]')
      from listed l left join invoice i on i.account_id = ? and i.id = l.invoice_id
        left join payment p on p.account_id = ? and p.id = l.payment_id
        left join credit_note n on n.account_id = ? and n.id = l.credit_note_id
        left join refund r on r.account_id = ? and r.id = l.refund_id) as lines`;

type Answer = Pick<StatementFacts, 'opening' | 'earlier' | 'sums' | 'owed' | 'payable'> & {
  isUsed: boolean;
  late: Omit<StatementFacts['late'], 'listed'> & {
    listed: (Omit<StatementFacts['late']['listed'][number], 'dueAt'> & { dueAt: string })[];
  };
  lines: (Omit<StatementFacts['lines'][number], 'date' | 'dueAt'> & { date: string | null; dueAt: string | null })[];
};

/**
 * Reads what a statement is computed from, in one statement, so that all its sums are of one time. It lists the latest lines and sums up those
 * before. `isUsed`: the customer has entries in the currency, at any time.
 */
export async function statementFacts(
  em: EntityManager,
  key: StatementKey,
): Promise<StatementFacts & { isUsed: boolean }> {
  const { accountId, customerId, currency, type, items, range, knownAt } = key;
  const { from, until, lastDay } = range;
  const whose = [accountId, customerId];
  const entries = [customerId, accountId, ...whose, knownAt, ...whose, accountId, currency, knownAt, until, accountId];
  const openItems = [items, items, lastDay, accountId, accountId, items];
  const [row] = await em.execute<Answer[]>(`${ENTRY}, ${type === 'open_item' ? OPEN_ITEMS : MOVEMENTS}${ANSWER}`, [
    ...entries,
    ...(type === 'open_item' ? openItems : []),
    lastDay,
    from,
    from,
    accountId,
    accountId,
    accountId,
    accountId,
  ]);
  if (!row) throw new Error('a statement of an account has no row');
  const { lines, late, ...sums } = row;
  const listed = late.listed.map((one) => ({ ...one, dueAt: new Date(one.dueAt) }));
  return { type, items, currency, range, ...sums, late: { ...late, listed }, lines: lines.map(withTimes) };
}

function withTimes({ date, dueAt, ...line }: Answer['lines'][number]): StatementFacts['lines'][number] {
  return { ...line, date: date === null ? null : new Date(date), dueAt: dueAt === null ? null : new Date(dueAt) };
}

interface Whose {
  accountId: number;
  customerId: number;
  currency: string;
}

/** The amounts that a customer owes in a currency: decimal text. */
export interface Owed {
  outstanding: string;
  dueNow: string;
  pastDue: boolean;
}

/**
 * Sums the open balances of a customer's issued invoices. `dueNow` is the part that is past due or that AutoPay has yet to collect. An
 * invoice that AutoPay has given up counts only when it is past due.
 */
export async function owedBy(em: EntityManager, { accountId, customerId, currency }: Whose): Promise<Owed> {
  const [row] = await em.execute<Owed[]>(
    `select coalesce(sum(balance), 0)::text as outstanding,
            coalesce(sum(balance) filter (where past_due or (autopay and not autopay_stopped)), 0)::text as "dueNow",
            coalesce(bool_or(past_due), false) as "pastDue"
     from invoice where account_id = ? and customer_id = ? and currency = ? and not closed and status <> 'draft'`,
    [accountId, customerId, currency],
  );
  return row ?? { outstanding: '0', dueNow: '0', pastDue: false };
}

/** Money of a customer's payments in a currency that is not applied: decimal text. */
export async function unappliedBy(em: EntityManager, { accountId, customerId, currency }: Whose): Promise<string> {
  const [row] = await em.execute<{ unapplied: string }[]>(
    `select coalesce(sum(balance), 0)::text as unapplied from payment
     where account_id = ? and customer_id = ? and currency = ? and balance > 0 and not voided`,
    [accountId, customerId, currency],
  );
  return row?.unapplied ?? '0';
}
