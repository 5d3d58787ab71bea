import type { EntityManager } from '../../orm.ts';

/** Number of the first issued credit note that corrects an invoice and is not voided. Null: there is none. */
export async function correctionOf(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<string | null> {
  const [first] = await em.execute<{ number: string }[]>(
    `select number from credit_note where account_id = ? and invoice_id = ? and issued_at is not null and voided_at is null
     order by id limit 1`,
    [accountId, invoiceId],
  );
  return first?.number ?? null;
}
