import type { EntityManager } from '../../orm.ts';

/** Money at risk while a subscription's step is refused: its next bill with the pending lines that would be on it. */
export async function unbilledOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<{ moneyAtRisk: string; currency: string } | null> {
  const [row] = await em.execute<{ moneyAtRisk: string; currency: string }[]>(
    `select p.currency, least(99999999999999, greatest(0, s.recurring_total + coalesce((
         select sum(l.net + (select coalesce(sum((t.value ->> 'amount')::numeric), 0) from jsonb_array_elements(l.taxes) t))
         from line_item l where l.account_id = s.account_id and l.customer_id = s.customer_id and l.currency = p.currency), 0)))::text
       as "moneyAtRisk"
     from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id where s.account_id = ? and s.id = ?`,
    [accountId, id],
  );
  return row ?? null;
}
