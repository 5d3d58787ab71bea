import type { CreditedPart } from '../../../billing/documents/creditedLines.ts';
import type { EntityManager } from '../../orm.ts';
import { CREDITED } from '../../schema/lineItem.ts';
import { textArray } from '../kernel/sql.ts';

const CREDITED_OF_LINE = CREDITED.replaceAll(/\b(account_id|credited)\b/g, 'line.$1');

/** SQL: condition of the credit notes that correct an invoice. */
const CORRECTS = 'issued_at is not null and voided_at is null';

/** Number of the first issued credit note that corrects an invoice and is not voided. Null: there is none. */
export async function correctionOf(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<string | null> {
  const [first] = await em.execute<{ number: string }[]>(
    `select number from credit_note where account_id = ? and invoice_id = ? and ${CORRECTS} order by id limit 1`,
    [accountId, invoiceId],
  );
  return first?.number ?? null;
}

/** Ids of the issued credit notes that correct these invoices and are not voided, by invoice. */
export async function correctionsOf(
  em: EntityManager,
  { accountId, invoiceIds }: { accountId: number; invoiceIds: readonly number[] },
): Promise<Map<number, number[]>> {
  const rows = await em.execute<{ id: number; invoice: number }[]>(
    `select id, invoice_id as invoice from credit_note
     where account_id = ? and invoice_id = any(?::int[]) and ${CORRECTS} order by id`,
    [accountId, `{${invoiceIds.join()}}`],
  );
  const byInvoice = Map.groupBy(rows, ({ invoice }) => invoice);
  return new Map([...byInvoice].map(([invoice, notes]) => [invoice, notes.map(({ id }) => id)]));
}

/** A credit of lines of invoices, for a prorated change or for corrected usage. */
export interface LineCredit {
  isProrated: boolean;
  /** With taxes; decimal text. Negative: it charges, for a prorated change or for more usage after a credit. */
  amount: string;
  parts: CreditedPart[];
}

/** SQL: an invoice, and those that were consolidated into it. Parameters: account and id, account and customer. */
const ORIGINS = `with recursive origin as (
    select id from invoice where account_id = ? and id = ?
    union
    select invoice.id from origin join invoice on invoice.consolidated_into_id = origin.id
      where invoice.account_id = ? and invoice.customer_id = ?
  ) select id from origin`;

/** Credits of the lines of an invoice on other invoices that are not voided, and pending ones. Its own lines are in its total. `ids`: the invoice, and those consolidated into it. */
export async function creditsOfLines(
  em: EntityManager,
  { accountId, id, customer }: { accountId: number; id: number; customer: { id: number } },
): Promise<{ ids: number[]; credits: LineCredit[] }> {
  const origins = await em.execute<{ id: number }[]>(ORIGINS, [accountId, id, accountId, customer.id]);
  const ids = origins.map((origin) => origin.id);
  const keys = ids.map((invoice) => JSON.stringify({ [accountId]: [{ invoice }] }));
  const credits = await em.execute<LineCredit[]>(
    `select line.prorated as "isProrated", line.credited as parts, (-line.net - coalesce(
         (select sum((tax ->> 'amount')::numeric) from jsonb_array_elements(line.taxes) tax), 0))::text as amount
     from line_item line left join invoice on invoice.account_id = line.account_id and invoice.id = line.invoice_id
     where line.account_id = ? and line.credited is not null and ${CREDITED_OF_LINE} @> any(?::jsonb[])
       and (line.customer_id is not null or (line.invoice_id <> ? and invoice.voided_at is null
         and invoice.deleted_at is null and invoice.consolidated_into_id is null))`,
    [accountId, textArray(keys), id],
  );
  return { ids, credits };
}
