import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';

/** Number as text, five digits at least: the same in SQL and in every place that shows it. */
const DIGITS = `lpad(v::text, greatest(5, length(v::text)), '0')`;

export interface InvoiceIds {
  number: string;
  id: number;
  lineIds: number[];
}

/**
 * Next number of the invoice series and the ids of the invoice and its lines, in one statement. Call it last: it holds the
 * series until commit. Numbers that somebody supplied are skipped. A supplied number takes none of the series.
 */
export async function takeInvoiceNumber(
  em: EntityManager,
  accountId: number,
  wanted: { lines: number; number: string | null },
): Promise<InvoiceIds> {
  const ids = `nextval('invoice_id_seq')::int as id,
    array(select nextval('invoice_line_id_seq')::int from generate_series(1, ?)) as line_ids`;
  const [row] =
    wanted.number === null
      ? await em.execute(`with taken as (${takeNumber('invoice')}) select taken.number, ${ids} from taken`, [
          accountId,
          wanted.lines,
        ])
      : await em.execute(`select ?::text as number, ${ids}`, [wanted.number, wanted.lines]);
  if (!row) throw new Error(`account ${accountId} has no invoice series`);
  return { number: row.number, id: row.id, lineIds: row.line_ids };
}

/** Next number of the customer series. */
export async function takeCustomerNumber(em: EntityManager, accountId: number): Promise<string> {
  const [row] = await em.execute(takeNumber('customer'), [accountId]);
  if (!row) throw new Error(`account ${accountId} has no customer series`);
  return row.number;
}

/** Refuses a supplied number that is taken. */
export async function checkNumberFree(
  em: EntityManager,
  table: 'invoice' | 'customer',
  key: { accountId: number; number: string },
): Promise<void> {
  const [row] = await em.execute(`select 1 from ${table} where account_id = ? and number = ?`, [
    key.accountId,
    key.number,
  ]);
  if (row) throw new Refusal(`Number is taken: ${key.number}`, 'number');
}

function takeNumber(series: 'invoice' | 'customer'): string {
  return `update numbering set next = 1 + (
      select v from (select generate_series(numbering.next, numbering.next + 100000) as v) candidates
      where not exists (
        select 1 from ${series} where account_id = numbering.account_id and number = numbering.prefix || ${DIGITS}
      ) limit 1
    ) where account_id = ? and series = '${series}'
    returning prefix || (select ${DIGITS} from (select next - 1 as v) taken_value) as number`;
}
