import type { EntityManager } from '../../orm.ts';

/** What an invoice's late fees come to, and whether one of them accrued on this local day. */
export async function feesSoFar(
  em: EntityManager,
  { accountId, invoiceId, day }: { accountId: number; invoiceId: number; day: string },
): Promise<{ charged: string; isRepeated: boolean }> {
  const [row] = await em.execute<{ charged: string; isRepeated: boolean }[]>(
    `select coalesce(sum(amount), 0)::text as charged, coalesce(bool_or(accrued_on = ?), false) as "isRepeated"
     from late_fee where account_id = ? and invoice_id = ?`,
    [day, accountId, invoiceId],
  );
  return row ?? { charged: '0', isRepeated: false };
}
