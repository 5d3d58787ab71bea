import type { Asked } from '../../../billing/reports/report.ts';
import { endOfDay } from '../../../billing/time/calendar.ts';
import type { EntityManager } from '../../orm.ts';
import { all, type Condition, condition, numberArray } from '../kernel/sql.ts';

/** SQL: reasons of entries that count on the day on which they were posted, unless their invoice is voided. */
export const OF_THEIR_DAY = "'late_fee', 'write_off', 'reopen', 'early_discount'";

/**
 * SQL: when an entry `e` counts; `i`: its invoice. Late fees, write-offs and lost discounts count when they were posted, because they
 * happened on that day. An application counts once both its money and its invoice are there; money that went back, on the day on which it did.
 * Whatever was voided never was: its entries count on one day, and add up to nothing.
 */
export const EFFECTIVE = `case
    when e.reason in (${OF_THEIR_DAY})
      then case when i.voided_at is null and i.deleted_at is null then e.posted_at else e.document_at end
    when e.reason = 'take_back' then greatest(least(e.document_at, e.posted_at), i.date)
    when e.reason in ('application', 'unapply') and e.invoice_id is not null
      then greatest(least(e.document_at, e.posted_at), least(i.date, coalesce(i.issued_at, i.date)))
    when e.reason in ('adjustment', 'application', 'unapply') then e.document_at
    else least(e.document_at, e.posted_at) end`;

/** SQL: an entry `e` with its invoice `i` and payment `p`. */
export const ENTRY = `ledger_entry e
    left join invoice i on i.account_id = e.account_id and i.id = e.invoice_id
    left join payment p on p.account_id = e.account_id and p.id = e.payment_id`;

/** SQL: ledger accounts with credit of customers. */
export const CREDIT = `array['customer_credits', 'customer_credits:notes', 'customer_credits:deposits']`;

/** Money of a customer that is not applied, and its credit. Decimal text. */
export interface OwnMoneyRow {
  customer: number;
  name: string;
  number: string;
  currency: string;
  unapplied: string;
  credits: string;
}

/** SQL: owner of the customer `c` at the end of a day, from what later events say that it was before. `?`: until, known. */
const OWNER_THEN = `coalesce((
    select coalesce(v.previous ->> 'owner', '0')::int from event v
    where v.account_id = c.account_id and v.subject_type = 'customer' and v.subject_id = c.id::text
      and (v.occurred_at >= ? or v.created_at > ?) and v.previous -> 'owner' is not null
    order by v.sequence limit 1), c.owner_id)`;

const isEmpty = (metadata: object): boolean => Object.keys(metadata).length === 0;

/** The end of the day on which owners count: the last day, unless another one is asked for. */
const ownerUntil = ({ ownerOn, days, zone }: Asked): Date => new Date(endOfDay(ownerOn ?? days.lastDay, zone));

/** Conditions on customers `c` and the currency of what is reported. The owner is that of its day, metadata that of now. */
export function limits(asked: Asked, currencyColumn: string): Condition {
  const { currency, customer, owner, metadata, knownAt } = asked;
  return all([
    ...(currency === null ? [] : [condition(`${currencyColumn} = ?`, currency)]),
    ...(customer === null ? [] : [condition('c.id = ?', customer)]),
    ...(owner === null ? [] : [condition(`${OWNER_THEN} = ?`, ownerUntil(asked), knownAt, owner)]),
    ...(isEmpty(metadata) ? [] : [condition('c.metadata @> ?::jsonb', JSON.stringify(metadata))]),
  ]);
}

/** SQL: the payment `p` of an entry `e`. */
export const PAYMENT = 'left join payment p on p.account_id = e.account_id and p.id = e.payment_id';

/**
 * SQL: an entry `e` with its invoice `i` only where EFFECTIVE depends on it: one from before the days that was not voided changes neither whether
 * its entries count before the days, nor the day of those in them. `?`: from.
 */
export const ENTRY_IN_DAYS = `ledger_entry e
     left join invoice i on i.account_id = e.account_id and i.id = e.invoice_id
       and (i.date >= ? or i.voided_at is not null or i.deleted_at is not null)`;

/** SQL: the entries of `ENTRY_IN_DAYS` that were known and count before the end of the days. `joins`: further tables. */
export function entriesOf(asked: Asked, more: readonly Condition[], joins = ''): Condition {
  const where = known(asked, ...more);
  return condition(`${ENTRY_IN_DAYS} ${joins} where ${where.sql}`, asked.days.from, ...where.values);
}

/** Conditions on entries `e`: account, known, before the end of the days, currency. */
export const known = (asked: Asked, ...more: Condition[]): Condition => knownBy(EFFECTIVE, asked, ...more);

/** Like `known`. `at`: SQL, when an entry counts. */
export function knownBy(at: string, { accountId, knownAt, days, currency }: Asked, ...more: Condition[]): Condition {
  return all([
    condition('e.account_id = ? and e.posted_at <= ?', accountId, knownAt),
    condition(`${at} < ?`, days.until),
    ...(currency === null ? [] : [condition('e.currency = ?', currency)]),
    ...more,
  ]);
}

/** SQL: each merged customer with the one into which it was merged at last, which has its credit and revenue. `?`: account, account. */
export const MERGED = `merged (id, final) as (
    select k.id, c.id from customer k join customer c on c.account_id = k.account_id and c.id = k.merged_into_id
      where k.account_id = ? and k.merged_into_id is not null and c.merged_into_id is null
    union all select k.id, r.final from merged r join customer k on k.account_id = ? and k.merged_into_id = r.id)`;

/** SQL: the row `r` of `MERGED` of a customer, if it was merged. */
export const merged = (customer: string): string => `left join merged r on r.id = ${customer}`;

/** SQL: the customer `c` that has what belongs to a customer now. `?`: account. */
export const remaining = (customer: string): string =>
  `${merged(customer)} join customer c on c.account_id = ? and c.id = coalesce(r.final, ${customer})`;

/**
 * SQL: money and credit of customers by ledger account and currency. Unapplied money belongs to the customer of its payment, which is looked
 * up once it is summed.
 */
function ownMoneyOf(asked: Asked): Condition {
  const unapplied = entriesOf(asked, [condition("e.ledger_account = 'unapplied'")]);
  const credit = creditOf(asked);
  return condition(
    `select p.customer_id, 'unapplied' as ledger_account, s.currency, sum(s.amount) as amount
     from (select e.payment_id, e.currency, sum(e.amount) as amount from ${unapplied.sql} group by 1, 2 having sum(e.amount) <> 0) s
     join payment p on p.account_id = ? and p.id = s.payment_id group by 1, 2, 3 having sum(s.amount) <> 0
     union all ${credit.sql}`,
    ...unapplied.values,
    asked.accountId,
    ...credit.values,
  );
}

/** SQL: credit of customers by ledger account and currency. */
export function creditOf(asked: Asked): Condition {
  const entries = entriesOf(asked, [condition(`e.ledger_account = any(${CREDIT})`)]);
  return condition(
    `select e.customer_id, e.ledger_account, e.currency, sum(e.amount) as amount from ${entries.sql} group by 1, 2, 3 having sum(e.amount) <> 0`,
    ...entries.values,
  );
}

/** Each customer's own money that is applied to nothing at the end of the days: of payments, and credit. */
export async function ownMoney(em: EntityManager, asked: Asked): Promise<OwnMoneyRow[]> {
  const { accountId } = asked;
  const own = ownMoneyOf(asked);
  const limited = limits(asked, 'm.currency');
  const of = (condition: string) => `coalesce(-sum(m.amount) filter (where ${condition}), 0)::text`;
  return em.execute<OwnMoneyRow[]>(
    `with recursive ${MERGED}
     select c.id as customer, coalesce(c.name, '') as name, c.number, m.currency, ${of("m.ledger_account = 'unapplied'")} as unapplied,
       ${of("m.ledger_account <> 'unapplied'")} as credits
     from (${own.sql}) m ${remaining('m.customer_id')}
     where ${limited.sql} group by c.id, c.name, c.number, m.currency`,
    [accountId, accountId, ...own.values, accountId, ...limited.values],
  );
}

/** A customer of rows: its name and metadata now, and its owner on the day on which owners count. */
export interface AboutCustomer {
  name: string;
  metadata: Record<string, string>;
  owner: number | null;
}

/** What rows are grouped by and shown with, by id of the customer. */
export async function aboutCustomers(
  em: EntityManager,
  asked: Asked,
  ids: readonly number[],
): Promise<Map<number, AboutCustomer>> {
  const { accountId, knownAt } = asked;
  const rows = await em.execute<(AboutCustomer & { id: number })[]>(
    `select c.id, coalesce(c.name, '') as name, c.metadata, nullif(${OWNER_THEN}, 0) as owner
     from customer c where c.account_id = ? and c.id = any(?::int[])`,
    [ownerUntil(asked), knownAt, accountId, numberArray(ids)],
  );
  return new Map(rows.map(({ id, ...about }) => [id, about]));
}

/** Id of the last event that was known; null: there is none. */
export async function lastEvent(em: EntityManager, { accountId, knownAt }: Asked): Promise<number | null> {
  const [row] = await em.execute<{ id: number | null }[]>(
    'select max(id) as id from (select id from event where account_id = ? and created_at <= ? order by id desc limit 1) known',
    [accountId, knownAt],
  );
  return row?.id ?? null;
}
