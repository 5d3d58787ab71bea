import { type Asked, type Movement, movements } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { currentOwner } from '../../tenant.ts';
import { GL_CODE, glJoins, hasGlCode } from '../accounts/glAccounts.ts';
import type { Statement } from '../kernel/slices.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { ENTRIES_OF_BOOKS, sumsOfBooks, whenBooked } from './closedBooks.ts';
import { CREDIT, EFFECTIVE, entriesOf, knownBy, limits, MERGED, merged, PAYMENT, remaining } from './receivables.ts';

export interface BalanceRow {
  /** Null: the row is of a general ledger account. */
  ledgerAccount: string | null;
  glAccount: string | null;
  glName: string | null;
  currency: string;
  opening: string;
  debits: string;
  credits: string;
  closing: string;
}

/** How a trial balance or a journal counts. `isClosed`: entries of closed months count on the first open day. */
export interface BooksBasis {
  isClosed: boolean;
}

/**
 * Each ledger account with its general ledger account, its balance before the days, its debits and credits in them, and its balance at their
 * end. `byGl`: summed by general ledger account.
 */
export async function trialBalance(
  em: EntityManager,
  asked: Asked,
  { isClosed, byGl }: BooksBasis & { byGl: boolean },
): Promise<BalanceRow[]> {
  const { at } = whenBooked(isClosed);
  const where = knownBy(at, asked);
  const { accountId, days } = asked;
  const { from } = days;
  const gl = await glJoins(em, accountId);
  const isByMethod = await hasMethodAccounts(em, accountId);
  return em.execute<BalanceRow[]>(
    `select ${byGl ? 'null' : 's.ledger_account'} as "ledgerAccount", ${GL_CODE} as "glAccount", s.currency, max(g.name) as "glName",
       sum(s.opening)::text as opening, sum(s.debits)::text as debits, sum(s.credits)::text as credits, sum(s.closing)::text as closing
     from (
       select ledger_account, method, currency, coalesce(sum(amount) filter (where at < ?), 0) as opening,
         coalesce(sum(amount) filter (where at >= ? and amount > 0), 0) as debits,
         coalesce(-sum(amount) filter (where at >= ? and amount < 0), 0) as credits, sum(amount) as closing
       from (
         select e.ledger_account, ${isByMethod ? METHOD : 'null'} as method, e.currency, e.amount, ${at} as at
         from ${sumsOfBooks(isByMethod ? PAYMENT : '')} where ${where.sql}
       ) entry group by 1, 2, 3
     ) s ${gl.sql}
     group by 1, 2, 3 order by s.currency, 1, 2`,
    [from, from, from, from, accountId, ...where.values, ...gl.values],
  );
}

/** Whether a payment method has a general ledger account of its own. */
async function hasMethodAccounts(em: EntityManager, accountId: number): Promise<boolean> {
  const sql = 'select 1 from payment_method where account_id = ? and gl_account is not null limit 1';
  return (await em.execute<object[]>(sql, [accountId])).length > 0;
}

/** SQL: the method of the payment of an entry `e` of money, which can have a general ledger account of its own. */
const METHOD = "case when e.ledger_account = 'cash' or e.ledger_account like 'clearing:%' then p.method end";

/** SQL: the movement of an entry `e` of receivables. A discount that was lost (`early_discount`) is `other`. */
const MOVEMENT = `case
    when e.reason in ('issue', 'change') then 'invoiced'
    when e.reason = 'late_fee' then 'fees'
    when e.reason in ('void', 'delete') then 'voided'
    when e.reason in ('application', 'unapply') and e.credit_note_id is not null then case when exists (
      select 1 from credit_note n where n.account_id = e.account_id and n.id = e.credit_note_id and n.early_discount_until is not null
    ) then 'discounts' else 'credited' end
    when e.reason in ('application', 'unapply') then 'paid'
    when e.reason = 'take_back' then 'returned'
    when e.reason in ('write_off', 'reopen') then 'written_off'
    else 'other' end`;

export interface JournalRow {
  id: number;
  posting: string;
  date: string;
  documentDate: string;
  postedDate: string;
  /** Whether its own day was in a closed month. */
  isLate: boolean;
  ledgerAccount: string;
  glAccount: string | null;
  glName: string | null;
  currency: string;
  amount: string;
  reason: string;
  customer: number | null;
  invoice: number | null;
  payment: number | null;
  creditNote: number | null;
}

/** Null: of all ledger accounts, of all general ledger accounts, of all movements of receivables, of both sides. */
export interface JournalPart extends BooksBasis {
  ledgerAccount: string | null;
  /** `none`: those without one. */
  glAccount: string | null;
  /** One or several, comma-separated. */
  movement: string | null;
  /** `debit`: positive amounts; `credit`: negative ones. */
  side: string | null;
}

const ofMovements = (movement: string): Condition =>
  condition(`e.ledger_account = 'receivable' and ${MOVEMENT} = any(string_to_array(?, ','))`, movement);

/**
 * SQL: the customer of an entry `e`: whose credit it is, whose payment is unapplied, else that of its invoice or payment. Null: it has none, or the
 * member does not see it.
 */
const CUSTOMER = `case when e.ledger_account = any(${CREDIT}) then e.customer_id
    when e.invoice_id is not null and e.ledger_account <> 'unapplied' then i.customer_id
    when e.payment_id is not null then p.customer_id else e.customer_id end`;

/** The entries of the days, in the order of posting. */
export async function journal(
  em: EntityManager,
  asked: Asked,
  { isClosed, ledgerAccount, glAccount, movement, side }: JournalPart,
): Promise<Statement<JournalRow>> {
  const { at, isLate } = whenBooked(isClosed);
  const parts = [
    condition(`${at} >= ?`, asked.days.from),
    ...(ledgerAccount === null ? [] : [condition('e.ledger_account = ?', ledgerAccount)]),
    ...(movement === null ? [] : [ofMovements(movement)]),
    ...(side === null ? [] : [condition(side === 'debit' ? 'e.amount > 0' : 'e.amount < 0')]),
  ];
  const limited = limits({ ...asked, currency: null }, 'e.currency');
  const where = knownBy(at, asked, ...parts, limited);
  const { accountId, zone } = asked;
  const isOfAll = limited.sql === 'true' && currentOwner() === null;
  const gl = await glJoins(em, accountId);
  const ofGl = glAccount === null ? condition('true') : hasGlCode(glAccount);
  return condition(
    `with recursive ${MERGED} select s.id, s.posting, s.date, s."documentDate", s."postedDate", s."isLate", s.ledger_account as "ledgerAccount", ${GL_CODE} as "glAccount",
       g.name as "glName", s.currency, s.amount, s.reason, s.customer, s.invoice, s.payment, s."creditNote"
     from (
       select e.id, e.posting, (${at} at time zone ?)::date::text as date, (e.document_at at time zone ?)::date::text as "documentDate",
         (e.posted_at at time zone ?)::date::text as "postedDate", ${isLate} as "isLate", e.ledger_account, ${METHOD} as method, e.currency,
         e.amount::text, e.reason, coalesce(r.final, ${CUSTOMER}) as customer, e.invoice_id as invoice, e.payment_id as payment, e.credit_note_id as "creditNote"
       from ${ENTRIES_OF_BOOKS} ${isOfAll ? merged(CUSTOMER) : remaining(CUSTOMER)} where ${where.sql}
     ) s ${gl.sql} where ${ofGl.sql} order by s.id`,
    accountId,
    accountId,
    zone,
    zone,
    zone,
    accountId,
    ...(isOfAll ? [] : [accountId]),
    ...where.values,
    ...gl.values,
    ...ofGl.values,
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
 * SQL: sums `s` of entries of receivables of the customers that are asked for, by three keys. The invoices are joined only if not all
 * customers are.
 */
function sumsOfCustomers(asked: Asked, keys: Condition, entries: Condition): Condition {
  const limited = limits({ ...asked, currency: null }, 's.currency');
  const values = [...keys.values, ...entries.values];
  if (limited.sql === 'true' && currentOwner() === null)
    return condition(`(select ${keys.sql}, sum(e.amount) as amount from ${entries.sql} group by 1, 2, 3) s`, ...values);
  return condition(
    `(select ${keys.sql}, e.invoice_id, sum(e.amount) as amount from ${entries.sql} group by 1, 2, 3, 4) s
     join invoice o on o.account_id = ? and o.id = s.invoice_id join customer c on c.account_id = o.account_id and c.id = o.customer_id and ${limited.sql}`,
    ...values,
    asked.accountId,
    ...limited.values,
  );
}

/** SQL: sums of receivables by currency, movement or `opening`, and local month; null: no month is asked for. */
function forwardSums(asked: Asked, month: Condition): Condition {
  const entries = entriesOf(asked, [condition("e.ledger_account = 'receivable'")]);
  const kind = `case when ${EFFECTIVE} < ? then 'opening' else ${MOVEMENT} end`;
  const keys = `e.currency, ${kind} as kind, ${month.sql} as month`;
  return sumsOfCustomers(asked, condition(keys, asked.days.from, ...month.values), entries);
}

const SUMS = movements
  .map((one) => `'${one}', coalesce(sum(amount) filter (where kind = '${one}'), 0)::text`)
  .join(', ');
const FORWARD = `s.currency, coalesce(sum(amount) filter (where kind = 'opening'), 0)::text as opening, json_build_object(${SUMS}) as sums,
       sum(amount)::text as closing`;

/** Receivables of each currency: before the days, what moved them, and at their end. */
export async function rollForward(em: EntityManager, asked: Asked): Promise<RollForwardRow[]> {
  const sums = forwardSums(asked, condition('null::date'));
  return em.execute<RollForwardRow[]>(`select ${FORWARD} from ${sums.sql} group by 1 order by 1`, [...sums.values]);
}

export interface RollForwardWithSales extends RollForwardRow {
  /** What was invoiced until the end of the days, with late fees, less what was voided: by the first day of the local month. */
  sales: Record<string, string>;
}

/** The same, with what was invoiced in each month: in one pass over the entries. */
export async function rollForwardWithSales(em: EntityManager, asked: Asked): Promise<RollForwardWithSales[]> {
  const isSale = "e.reason in ('issue', 'change', 'late_fee', 'void', 'delete')";
  const month = `case when ${isSale} then date_trunc('month', ${EFFECTIVE} at time zone ?)::date end`;
  const sums = forwardSums(asked, condition(month, asked.zone));
  return em.execute<RollForwardWithSales[]>(
    `with s as materialized (select s.* from ${sums.sql})
     select ${FORWARD}, (select coalesce(json_object_agg(m.month, m.amount), '{}') from (
         select t.month, sum(t.amount)::text as amount from s t where t.currency = s.currency and t.month is not null group by 1) m) as sales
     from s group by 1 order by 1`,
    [...sums.values],
  );
}
