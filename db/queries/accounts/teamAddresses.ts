import type { EntityManager } from '../../orm.ts';

/** Closes the problems of suppressed addresses that are not those of the team any more. `addresses`: those of the team, in lower case. */
export async function closeProblemsOfFormer(
  em: EntityManager,
  { accountId, addresses }: { accountId: number; addresses: readonly string[] },
  now: Date,
): Promise<void> {
  await em.execute(
    `update problem p set closed_at = ?, next_try_at = null, updated_at = ?
     where account_id = ? and subject_type = 'suppression' and closed_at is null and not exists (
       select 1 from suppression s where s.account_id = p.account_id and s.id = p.subject_id
         and s.address in (select jsonb_array_elements_text(?::jsonb)))`,
    [now, now, accountId, JSON.stringify(addresses)],
  );
}
