import type { EntityManager } from '../../orm.ts';

/**
 * The amount that pays an invoice and is dated before a time, or comes from a charge that began before it. Credit notes that grant its early-payment
 * discount or take its late fees back do not count.
 */
export async function paidInTime(
  em: EntityManager,
  { accountId, invoiceId, endsAt }: { accountId: number; invoiceId: number; endsAt: Date },
): Promise<string> {
  const [row] = await em.execute<{ paid: string }[]>(
    `select coalesce(sum(a.amount), 0)::text as paid from payment_application a
     join payment p on p.account_id = a.account_id and p.id = a.payment_id
     left join credit_note n on n.account_id = a.account_id and n.id = a.credit_note_id
     where a.account_id = ? and a.invoice_id = ? and (n.id is null or (n.early_discount_until is null and not n.late_fee_review))
       and (p.date < ? or exists (select 1 from charge c
         join attempt t on t.account_id = c.account_id and t.id = c.attempt_id
         where c.account_id = p.account_id and c.id = p.charge_id and t.created_at < ?))`,
    [accountId, invoiceId, endsAt, endsAt],
  );
  return row?.paid ?? '0';
}
