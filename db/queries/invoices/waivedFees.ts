import { LATE_FEE_LINE } from '../../../billing/lateFee.ts';
import type { EntityManager } from '../../orm.ts';

/**
 * What credit notes have taken back from an invoice's late fees: their lines with the type of late fees. `reviewed`: the part that was
 * taken back by reviews of the fees.
 */
export async function waivedFees(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<{ waived: string; reviewed: string }> {
  const [row] = await em.execute<{ waived: string; reviewed: string }[]>(
    `select coalesce(sum(l.amount), 0)::text as waived,
       coalesce(sum(l.amount) filter (where n.late_fee_review), 0)::text as reviewed from credit_note n
     join line_item l on l.account_id = n.account_id and l.credit_note_id = n.id and l.type = ?
     where n.account_id = ? and n.invoice_id = ? and n.issued_at is not null and n.voided_at is null`,
    [LATE_FEE_LINE, accountId, invoiceId],
  );
  return row ?? { waived: '0', reviewed: '0' };
}
