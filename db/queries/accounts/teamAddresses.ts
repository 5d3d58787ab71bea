import type { EntityManager } from '../../orm.ts';

/** Closes problems about suppressed addresses that the team no longer has. `addressHashes`: the addresses that it has. */
export async function closeProblemsOfFormer(
  em: EntityManager,
  { accountId, addressHashes }: { accountId: number; addressHashes: readonly string[] },
  now: Date,
): Promise<void> {
  await em.execute(
    `update problem p set closed_at = ?, next_try_at = null, updated_at = ?
     where account_id = ? and subject_type = 'suppression' and closed_at is null and not exists (
       select 1 from suppression s where s.account_id = p.account_id and s.id = p.subject_id
         and s.digest = any(?::text[]))`,
    [now, now, accountId, `{${addressHashes.join()}}`],
  );
}
