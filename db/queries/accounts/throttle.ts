import type { EntityManager } from '../../orm.ts';

export interface Counted {
  count: number;
  /** Whole seconds until the count restarts. */
  secondsLeft: number;
}

/** Increments a count shared by all processes. `key`: a hash of the counted thing. The count restarts after `seconds`. */
export async function countOneMore(
  em: EntityManager,
  of: { key: string; seconds: number },
  systemNow: Date,
): Promise<Counted> {
  const endsAt = new Date(systemNow.getTime() + of.seconds * 1000);
  const [row] = await em.execute<{ count: number; ends_at: string }[]>(
    `insert into throttle (key, count, ends_at) values (?, 1, ?)
     on conflict (key) do update set
       count = case when throttle.ends_at <= ? then 1 else throttle.count + 1 end,
       ends_at = case when throttle.ends_at <= ? then excluded.ends_at else throttle.ends_at end
     returning count, ends_at`,
    [of.key, endsAt, systemNow, systemNow],
  );
  if (!row) throw new Error('nothing was counted');
  const secondsLeft = Math.ceil((new Date(row.ends_at).getTime() - systemNow.getTime()) / 1000);
  return { count: row.count, secondsLeft: Math.max(1, secondsLeft) };
}

export async function forgetCount(em: EntityManager, key: string): Promise<void> {
  await em.execute('delete from throttle where key = ?', [key]);
}
