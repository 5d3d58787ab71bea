import { LATE_FEE_LINE, type RecordedPayment } from '../../../billing/collection/lateFee.ts';
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

/** The money that pays an invoice, with the dates of the payments. */
export async function recordedPayments(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<RecordedPayment[]> {
  const rows = await em.execute<{ date: Date | string; recorded: Date | string; amount: string }[]>(
    `select p.date, a.created_at as recorded, a.amount::text as amount from payment_application a
     join payment p on p.account_id = a.account_id and p.id = a.payment_id
     where a.account_id = ? and a.invoice_id = ? and a.type = 'invoice' order by a.id`,
    [accountId, invoiceId],
  );
  return rows.map(({ date, recorded, amount }) => ({
    date: new Date(date).getTime(),
    recordedAt: new Date(recorded).getTime(),
    amount,
  }));
}

/** The payment whose money paid an invoice last, if it is used up and no gateway made it; null: there is none. */
export async function lastShortPayment(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<{ id: number; paid: string } | null> {
  const [row] = await em.execute<{ id: number; paid: string; isShort: boolean }[]>(
    `select p.id, a.amount::text as paid, p.charge_id is null and p.balance = 0 and not p.voided as "isShort"
     from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
     where a.account_id = ? and a.invoice_id = ? and a.type = 'invoice' order by a.id desc limit 1`,
    [accountId, invoiceId],
  );
  return row?.isShort ? { id: row.id, paid: row.paid } : null;
}
