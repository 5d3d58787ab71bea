import type { CreditedPart } from '../../../billing/documents/creditedLines.ts';
import type { BilledLine } from '../../../billing/reports/recognition.ts';
import type { Asked } from '../../../billing/reports/report.ts';
import type { EntityManager } from '../../orm.ts';
import { inSlices, type Statement } from '../kernel/slices.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { limits } from './receivables.ts';
import { CODE, countsAt, LINE_AT, live, revenueEntries } from './sales.ts';

/** A line of an invoice, or a line that credits it. Days are numbers of days since 1970. Decimal text. */
export interface RevenueLine extends Omit<BilledLine, 'net'> {
  id: number;
  /** Decimal text of any sign. */
  net: string;
  invoice: number;
  /** `line`: of the invoice. `credit_note`: of a credit note that corrects it. `part`: of an invoice, and its part number `part` credits this one. */
  kind: 'line' | 'credit_note' | 'part';
  part: number;
  customer: number;
  customerName: string;
  number: string;
  currency: string;
  itemCode: string | null;
  planCode: string | null;
  glAccount: string | null;
  name: string | null;
  periodStartAt: Date | null;
  periodEndAt: Date | null;
  prorated: boolean;
  /** The invoices that a negative line credits; null: none is named. */
  credited: CreditedPart[] | null;
}

const asDay = (at: string): string => `((${at}) at time zone ?)::date - date '1970-01-01'`;

const HEAD = `l.id, l.net::text, c.id as customer, coalesce(c.name, '') as "customerName", coalesce(i.number, '') as number, l.currency,
  l.item_code as "itemCode", l.plan_code as "planCode", ${CODE} as "glAccount", l.name, l.period_start_at as "periodStartAt",
  l.period_end_at as "periodEndAt", l.prorated`;

/** SQL: the days of a line that counts at `at`. `?`: zone, four times. */
const daysOf = (at: string): string =>
  `${asDay(at)} as day, coalesce(${asDay('l.period_start_at')}, ${asDay(at)}) as "from", coalesce(${asDay("l.period_end_at + interval '1 second'")}, 0) as until`;

/**
 * SQL: `named`, the negative lines of invoices until the end of the days with the invoices that they credit, or those that replaced them, and
 * `wanted`, the invoices that were issued, corrected or in service within the days.
 */
function invoicesOf({ accountId, knownAt, days: { from, until } }: Asked): Condition {
  const before = (d: string) => `${d}.account_id = ? and ${countsAt(d)} < ? and ${live(d)}`;
  const values = [accountId, until, knownAt, knownAt];
  return condition(
    `named as materialized (
       select coalesce(r.consolidated_into_id, r.id) as invoice, l.id as line, p.n::int as part, ${countsAt('i')} as at
       from line_item l join invoice i on i.account_id = l.account_id and i.id = l.invoice_id
       cross join jsonb_array_elements(l.credited) with ordinality p (part, n)
       join invoice r on r.account_id = l.account_id and r.id = (p.part ->> 'invoice')::int
       where l.credited is not null and l.net < 0 and ${before('i')}
     ), wanted as materialized (
       select i.id from invoice i where ${before('i')} and ${countsAt('i')} >= ?
       union select n.invoice_id from credit_note n where n.invoice_id is not null and ${before('n')} and ${countsAt('n')} >= ?
       union select l.invoice_id from line_item l
         where l.account_id = ? and l.invoice_id is not null and (l.period_end_at > ?::timestamptz - interval '1 day' or l.type = 'late_fee' and l.created_at >= ?)
       union select invoice from named where at >= ?
     )`,
    ...values,
    ...values,
    from,
    ...values,
    from,
    accountId,
    from,
    from,
    from,
  );
}

/**
 * The lines of each invoice that were issued, corrected or in service within the days, and what credits them until the end of the days: lines of
 * credit notes that correct them, and negative lines of invoices that name them. By invoice, in order of their ids. Call it in a transaction of its own.
 */
export async function* revenueLines(em: EntityManager, asked: Asked): AsyncGenerator<readonly RevenueLine[], void> {
  const { accountId, knownAt, days, zone } = asked;
  const limited = limits(asked, 'l.currency');
  const invoices = invoicesOf(asked);
  const zones = [zone, zone, zone, zone];
  const known = [accountId, days.until, knownAt, knownAt];
  const customer = 'join customer c on c.account_id = i.account_id and c.id = i.customer_id';
  const statement: Statement<Stored> = condition(
    `with ${invoices.sql}
     select ${HEAD}, ${daysOf(LINE_AT)}, i.id as invoice, 'line' as kind, l.credited, 0 as part
     from wanted w join invoice i on i.account_id = ? and i.id = w.id join line_item l on l.account_id = i.account_id and l.invoice_id = i.id ${customer}
     where ${LINE_AT} < ? and ${live('i')} and (l.type is distinct from 'late_fee' or l.created_at <= ?) and ${limited.sql}
     union all
     select ${HEAD}, ${daysOf(countsAt('n'))}, i.id, 'credit_note', null, 0
     from wanted w join credit_note n on n.account_id = ? and n.invoice_id = w.id join invoice i on i.account_id = n.account_id and i.id = n.invoice_id
     join line_item l on l.account_id = n.account_id and l.credit_note_id = n.id ${customer}
     where ${countsAt('n')} < ? and ${live('n')} and ${limited.sql}
     union all
     select ${HEAD}, ${daysOf('named.at')}, i.id, 'part', l.credited, named.part
     from named join wanted w on w.id = named.invoice join line_item l on l.account_id = ? and l.id = named.line
     join invoice i on i.account_id = l.account_id and i.id = named.invoice ${customer} where ${limited.sql}
     order by invoice, kind, id, part`,
    ...invoices.values,
    ...zones,
    ...known,
    knownAt,
    ...limited.values,
    ...zones,
    ...known,
    ...limited.values,
    ...zones,
    accountId,
    ...limited.values,
  );
  const time = (text: string | null) => (text === null ? null : new Date(text));
  let invoice: number | null = null;
  let lines: RevenueLine[] = [];
  for await (const slice of inSlices(em, statement))
    for (const { from, until, periodStartAt, periodEndAt, ...row } of slice) {
      if (invoice !== null && row.invoice !== invoice) {
        yield lines;
        lines = [];
      }
      invoice = row.invoice;
      const served = { from, until: Math.max(until, from + 1) };
      lines.push({ ...row, ...served, periodStartAt: time(periodStartAt), periodEndAt: time(periodEndAt) });
    }
  if (lines.length > 0) yield lines;
}

type Stored = Omit<RevenueLine, 'periodStartAt' | 'periodEndAt'> &
  Record<'periodStartAt' | 'periodEndAt', string | null>;

/** Revenue that the ledger has on a day, by code and customer. */
export interface PostedRevenue {
  day: number;
  customer: number;
  customerName: string;
  currency: string;
  glAccount: string | null;
  amount: string;
}

/** What the ledger has of revenue on each of the days. `isByCustomer` false: of all customers together, as customer 0. */
export async function postedRevenue(em: EntityManager, asked: Asked, isByCustomer: boolean): Promise<PostedRevenue[]> {
  const entries = revenueEntries(asked);
  return em.execute<PostedRevenue[]>(
    `select ${asDay('at')} as day, ${isByCustomer ? 'customer' : '0'} as customer, ${isByCustomer ? "coalesce(name, '')" : "''"} as "customerName",
       currency, gl_account as "glAccount", sum(amount)::text as amount
     from (${entries.sql}) entry group by 1, 2, 3, 4, 5 order by 1, 2, 4, 5`,
    [asked.zone, ...entries.values],
  );
}
