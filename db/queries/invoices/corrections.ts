import type { EntityManager } from '../../orm.ts';

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
