import type { Asked } from '../../../billing/reports/report.ts';
import type { Statement } from '../kernel/slices.ts';
import { all, type Condition, condition } from '../kernel/sql.ts';
import { EFFECTIVE, ENTRY, known, limits } from './receivables.ts';

/** SQL: whether an issued document `d` is known and not voided. `?`: known, known. */
export const live = (d: string): string => `${d}.issued_at <= ? and (${d}.voided_at is null or ${d}.voided_at > ?)`;

/** SQL: when an issued document `d` counts, like its entries (`EFFECTIVE`). */
export const countsAt = (d: string): string => `least(${d}.date, ${d}.issued_at)`;

/** SQL: when a line `l` of an invoice `i` counts. A late fee counts when it was added. */
export const LINE_AT = `case when l.type = 'late_fee' then greatest(l.created_at, ${countsAt('i')}) else ${countsAt('i')} end`;

/** SQL: general ledger code of a line `l`. */
export const CODE = `nullif(l.gl_account, '')`;

/** SQL: general ledger code of an entry `e` of revenue. */
const CODE_OF_ENTRY = `nullif(substring(e.ledger_account from 9), '')`;

const OF_REVENUE = condition("(e.ledger_account = 'revenue' or e.ledger_account like 'revenue:%')");

/** Further columns by which rows are separate. `line`: a row for each line. */
export const salesDetails = ['customer', 'line'] as const;

/** SQL: each line of the issued invoices and credit notes of the days. Late fees are apart: their invoices can be of earlier days. */
function linesOf(asked: Asked): Condition {
  const { accountId, knownAt, days } = asked;
  const limited = limits(asked, 'l.currency');
  const about = `c.id as customer, c.name, l.id as line, l.currency, l.item_code as item, l.plan_code as plan, ${CODE} as gl_account`;
  const charged = 'l.quantity as quantity, l.amount as gross, l.net as net, 0 as credited';
  const ofInvoices = `line_item l join invoice d on d.account_id = l.account_id and d.id = l.invoice_id`;
  const ofNotes = 'line_item l join credit_note d on d.account_id = l.account_id and d.id = l.credit_note_id';
  const part = (columns: string, from: string, more: { at: string; where: Condition }) =>
    condition(
      `select ${about}, ${columns}, ${more.at} as at from ${from} join customer c on c.account_id = d.account_id and c.id = d.customer_id
       where l.account_id = ? and ${more.at} >= ? and ${more.at} < ? and ${live('d')} and ${more.where.sql} and ${limited.sql}`,
      accountId,
      days.from,
      days.until,
      knownAt,
      knownAt,
      ...more.where.values,
      ...limited.values,
    );
  const invoiceColumns = (kind: string) => `d.id as invoice, null::int as credit_note, '${kind}' as kind, ${charged}`;
  const noteKind = "case when d.early_discount_until is null then 'sale' else 'early_discount' end";
  const at = countsAt('d');
  const parts = [
    part(invoiceColumns('sale'), ofInvoices, { at, where: condition("l.type is distinct from 'late_fee'") }),
    part(invoiceColumns('late_fee'), ofInvoices, {
      at: `greatest(l.created_at, ${at})`,
      where: condition("l.type = 'late_fee' and l.created_at <= ?", knownAt),
    }),
    part(`d.invoice_id, d.id, ${noteKind}, 0, 0, 0, l.net`, ofNotes, { at, where: condition('true') }),
  ];
  return condition(parts.map(({ sql }) => sql).join(' union all '), ...parts.flatMap(({ values }) => values));
}

/**
 * SQL: entries `e` of ledger accounts that count in the days, as known. Beside EFFECTIVE, the later of its two times lets the database leave out earlier
 * entries before it reads their invoices.
 */
export function earnedInDays(asked: Asked, accounts: Condition): Condition {
  const { from } = asked.days;
  const within = condition(`greatest(e.document_at, e.posted_at) >= ? and ${EFFECTIVE} >= ?`, from, from);
  return known(asked, accounts, within);
}

/** SQL: revenue of the days that the ledger has, by document and code, credit positive. */
export function revenueEntries(asked: Asked): Condition {
  const where = earnedInDays(asked, OF_REVENUE);
  const limited = limits(asked, 'e.currency');
  return condition(
    `select c.id as customer, c.name, coalesce(e.invoice_id, n.invoice_id) as invoice, e.credit_note_id as credit_note, e.currency,
       ${CODE_OF_ENTRY} as gl_account, ${EFFECTIVE} as at, -e.amount as amount
     from ${ENTRY} left join credit_note n on n.account_id = e.account_id and n.id = e.credit_note_id
     join customer c on c.account_id = e.account_id and c.id = coalesce(i.customer_id, n.customer_id)
     where ${where.sql} and ${limited.sql}`,
    ...where.values,
    ...limited.values,
  );
}

/** What was sold of something. Decimal text. `net` less `credited` is `total`. */
export interface SalesRow {
  period: string | null;
  customer: number | null;
  name: string | null;
  invoice: number | null;
  creditNote: number | null;
  line: number | null;
  date: string | null;
  kind: string;
  item: string | null;
  plan: string | null;
  glAccount: string | null;
  currency: string;
  quantity: string;
  gross: string;
  net: string;
  credited: string;
  total: string;
}

/** Conditions on columns of `kept` with the values of options. `none`: it has no value. */
export function chosen(options: Asked['options'], columns: readonly string[]): Condition {
  return all(
    columns.flatMap((name) => {
      const value = options[name];
      if (value === undefined) return [];
      return [condition(`(kept.${name} = ?${value === 'none' ? ` or kept.${name} is null` : ''})`, value)];
    }),
  );
}

/** SQL: the day or month of `at`, as the option `group` asks for; null without it. `?`: the zone. */
export const periodOf = ({ options }: Asked): string =>
  `date_trunc('${options.group === 'day' ? 'day' : 'month'}', at at time zone ?)::date::text`;

/**
 * What was sold in the days, by item, plan and code. What the ledger has and no line tells is a row of its own, so that the rows of a code add up
 * to its revenue in the ledger.
 */
export function sales(asked: Asked): Statement<SalesRow> {
  const { options, zone } = asked;
  const lines = linesOf(asked);
  const entries = revenueEntries(asked);
  const isByLine = options.detail === 'line';
  const isByCustomer = isByLine || options.detail === 'customer';
  const when = (is: boolean, sql: string, type: string) => (is ? sql : `null::${type}`);
  const keys = `${when(options.group !== undefined, `(${periodOf(asked)})`, 'text')} as period, ${when(isByCustomer, 'customer', 'int')} as customer,
    ${when(isByCustomer, 'name', 'text')} as name, ${when(isByLine, 'invoice', 'int')} as invoice,
    ${when(isByLine, 'credit_note', 'int')} as "creditNote", ${when(isByLine, '(at at time zone ?)::date::text', 'text')} as date`;
  const zones = [...(options.group === undefined ? [] : [zone]), ...(isByLine ? [zone] : [])];
  const where = chosen(options, ['item', 'plan', 'gl_account', 'kind']);
  return condition(
    `with sold as materialized (${lines.sql}), entry as (${entries.sql}), kept as (
       select ${keys}, ${when(isByLine, 'line', 'bigint')} as line, kind, item, plan, gl_account, currency, sum(quantity) as quantity, sum(gross) as gross,
         sum(net) as net, sum(credited) as credited
       from sold group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
       union all
       select ${keys}, null::bigint, 'adjustment', null, null, gl_account, currency, 0, sum(amount), sum(amount), 0
       from (
         select customer, name, invoice, credit_note, at, gl_account, currency, amount from entry
         union all select customer, name, invoice, credit_note, at, gl_account, currency, credited - net from sold
       ) rest group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 having sum(amount) <> 0
     )
     select period, customer, name, invoice, "creditNote", line, date, kind, item, plan, gl_account as "glAccount", currency,
       quantity::text, gross::text, net::text, credited::text, (net - credited)::text as total
     from kept where ${where.sql}
     order by period, currency, kind desc, item, plan, gl_account, name, customer, date, invoice, "creditNote", line`,
    ...lines.values,
    ...entries.values,
    ...zones,
    ...zones,
    ...where.values,
  );
}
