import type { DocumentTable } from '../../../billing/documents/document.ts';
import { compare } from '../../../billing/money/money.ts';
import type { EntityManager } from '../../orm.ts';
import type { RefundCopy } from '../../schema/charge.ts';
import { LineItem } from '../../schema/lineItem.ts';
import type { ApplicationType } from '../../schema/paymentApplication.ts';
import type { Plain } from '../kernel/plain.ts';
import { readingOf } from '../kernel/reading.ts';

/** A line of a document as a plain row, because there may be a thousand of them. Pending lines are entities. */
export type Line = Plain<LineItem>;

/** Lines of a document, in their order. */
export async function linesOf(
  em: EntityManager,
  document: DocumentTable,
  { accountId, id }: { accountId: number; id: number },
): Promise<Line[]> {
  return (await linesOfEach(em, document, { accountId, ids: [id] })).get(id) ?? [];
}

/** Lines of several documents of one account, by document: one statement unless there are many lines. */
export function linesOfEach(
  em: EntityManager,
  document: DocumentTable,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<Map<number, Line[]>> {
  const column = `${document}_id`;
  return readingOf(em, accountId).children(LineItem, { column, ids, orderBy: 'position' });
}

/** A part of an invoice that something paid, or that was written off. */
export interface InvoicePart {
  type: ApplicationType | 'write_off';
  /** Decimal text. */
  amount: string;
  /** When the payment was made, or the credit used. */
  date: Date;
  method: string;
  /** Number of the credit note that pays; null: something else pays. */
  creditNote: string | null;
  /** Refunds of the payment that left it applied. */
  refunds: RefundCopy[];
}

/** A use of a credit note. */
export interface CreditNoteUse {
  type: ApplicationType;
  /** Decimal text. */
  amount: string;
  /** Number of the invoice that it pays; null: it goes to the credit balance. */
  number: string | null;
}

/** Maximum number of parts that are read. Documents show the others as a sum. */
const MOST_PARTS = 100;

/** The parts of an invoice that are paid, oldest first, and the date of the latest one if there are more. Runs no statement while nothing is paid. */
export async function partsOfInvoice(
  em: EntityManager,
  invoice: { accountId: number; id: number; total: string; balance: string },
): Promise<{ parts: InvoicePart[]; paidAt: Date | undefined }> {
  if (compare(invoice.total, invoice.balance) === 0) return { parts: [], paidAt: undefined };
  const rows = await em.execute<(Omit<InvoicePart, 'date'> & { date: string | Date; latest: string | Date })[]>(
    `select type, amount, date, max(date) over () as latest, method, "creditNote", refunds from (
     select part.type, part.amount::text as amount, payment.date, payment.method, credit_note.number as "creditNote",
       case when part.type = 'invoice' then (select coalesce(jsonb_agg(given), '[]') from jsonb_array_elements(coalesce(charge.refunds, payment.refunds)) given
         where not coalesce((given ->> 'returned')::boolean, false)) else '[]' end as refunds, part.id
     from payment_application part
     join payment on payment.account_id = part.account_id and payment.id = part.payment_id
     left join charge on charge.account_id = payment.account_id and charge.id = payment.charge_id
     left join credit_note on credit_note.account_id = part.account_id and credit_note.id = part.credit_note_id
     where part.account_id = ? and part.invoice_id = ? and part.type <> 'convenience_fee'
     union all
     select 'write_off', given.amount::text, coalesce(short.date, given.created_at), '', null, '[]'::jsonb, 2147483647 from write_off given
     left join payment short on short.account_id = given.account_id and short.id = given.payment_id
     where given.account_id = ? and given.invoice_id = ? and given.reversed_at is null and given.kind <> 'whole') parts
     order by date, id limit ${MOST_PARTS}`,
    [invoice.accountId, invoice.id, invoice.accountId, invoice.id],
  );
  const parts = rows.map(({ latest: _, ...row }) => ({ ...row, date: new Date(row.date) }));
  const [first] = rows;
  return { parts, paidAt: first && rows.length === MOST_PARTS ? new Date(first.latest) : undefined };
}

/** The uses of a credit note, oldest first. */
export async function usesOfCreditNote(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<CreditNoteUse[]> {
  return em.execute<CreditNoteUse[]>(
    `select part.type, part.amount::text as amount, invoice.number
     from payment_application part
     left join invoice on invoice.account_id = part.account_id and invoice.id = part.invoice_id
     where part.account_id = ? and part.credit_note_id = ?
     order by part.id limit ${MOST_PARTS}`,
    [accountId, id],
  );
}
