import type { EntityManager } from '../../orm.ts';

/** Whether the gateway is to be asked about a sign-up now. */
export async function isLookDue(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  now: Date,
): Promise<boolean> {
  const found = await em.execute(
    `select 1 from wakeup where account_id = ? and process = 'sign_up' and subject_id = ? and rule in ('look_up', 'problem') and at <= ?`,
    [accountId, id, now],
  );
  return found.length > 0;
}
