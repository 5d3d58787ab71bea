import type { EntityManager } from '../../orm.ts';

/**
 * The invoices that now have the lines of these invoices, by id: each itself, or the one into which it was consolidated. Voided and deleted
 * ones are left out.
 */
export async function holdersOf(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await em.execute<{ origin: number; id: number }[]>(
    `with recursive place as (
       select id as origin, id, consolidated_into_id as next, voided_at, deleted_at from invoice
         where account_id = ? and id = any(?::int[])
       union all
       select origin, invoice.id, invoice.consolidated_into_id, invoice.voided_at, invoice.deleted_at
         from place join invoice on invoice.account_id = ? and invoice.id = place.next
     )
     select origin, id from place where next is null and voided_at is null and deleted_at is null`,
    [accountId, `{${[...new Set(ids)].join()}}`, accountId],
  );
  return new Map(rows.map(({ origin, id }) => [origin, id]));
}
