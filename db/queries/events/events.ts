import type { EntityManager } from '../../orm.ts';

/** Position of an event in the log of its account; null while it has none, undefined when there is no such event. */
export async function positionOf(
  em: EntityManager,
  key: { accountId: number; id: number },
): Promise<string | null | undefined> {
  const [row] = await em.execute<{ position: string | null }[]>(
    `select l.position::text as position from event e left join event_log l on l.account_id = e.account_id and l.event_id = e.id
     where e.account_id = ? and e.id = ?`,
    [key.accountId, key.id],
  );
  return row?.position;
}
