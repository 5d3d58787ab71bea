import type { EntityManager } from '../orm.ts';

/** Null: all. Times are those of the events, both bounds belong to them. */
export interface ReplayedEvents {
  startAt: Date | null;
  endAt: Date | null;
  type: string | null;
  subject: { type: string; id: string } | null;
}

/** Positions in the log of the events that match, oldest first, at most `limit`. `types`: those that the endpoint wants; null: all. */
export async function replayedPositions(
  em: EntityManager,
  accountId: number,
  which: ReplayedEvents & { types: string[] | null; limit: number },
): Promise<string[]> {
  const { startAt, endAt, type, subject, types, limit } = which;
  const parts: [sql: string, ...values: unknown[]][] = [['l.account_id = ?', accountId]];
  if (startAt) parts.push(['e.occurred_at >= ?', startAt]);
  if (endAt) parts.push(['e.occurred_at <= ?', endAt]);
  if (type) parts.push(['e.type = ?', type]);
  if (subject) parts.push(['e.subject_type = ? and e.subject_id = ?', subject.type, subject.id]);
  if (types) parts.push([`e.type in (select jsonb_array_elements_text(?::jsonb))`, JSON.stringify(types)]);
  const rows = await em.execute<{ position: string }[]>(
    `select l.position::text as position from event_log l
     join event e on e.account_id = l.account_id and e.id = l.event_id
     where ${parts.map(([sql]) => sql).join(' and ')} order by l.position limit ?`,
    [...parts.flatMap(([, ...values]) => values), limit],
  );
  return rows.map(({ position }) => position);
}

/**
 * Puts events of the log on the lanes of an endpoint, due at once: deliveries that there are wait again, the others are made. Lanes
 * first, whose locks keep fan-out and pumps away, and in the order of the fan-out. Answers the shards that have something to do.
 */
export async function queueAgain(
  em: EntityManager,
  to: { accountId: number; webhookId: number },
  what: { positions: readonly string[]; now: Date },
): Promise<number[]> {
  const { accountId, webhookId } = to;
  const positions = `{${what.positions.join(',')}}`;
  const lanes = await em.execute<{ shard: number }[]>(
    `insert into webhook_lane (account_id, webhook_id, subject_type, subject_id, shard, last_sequence, due_at)
     select e.account_id, ?::int, e.subject_type, e.subject_id,
            abs(hashtext(e.subject_type || e.subject_id)) % max(coalesce((a.settings ->> 'webhook_shards')::int, 4)),
            max(e.sequence), ?::timestamptz
     from event_log l join event e on e.account_id = l.account_id and e.id = l.event_id join account a on a.id = e.account_id
     where l.account_id = ? and l.position = any(?::bigint[])
     group by e.account_id, e.subject_type, e.subject_id order by e.subject_type, e.subject_id
     on conflict (account_id, webhook_id, subject_type, subject_id) do update
       set last_sequence = greatest(webhook_lane.last_sequence, excluded.last_sequence), due_at = excluded.due_at
     returning shard`,
    [webhookId, what.now, accountId, positions],
  );
  await em.execute(
    `insert into webhook_delivery
       (account_id, webhook_id, event_id, position, subject_type, subject_id, sequence, previous_sequence, state, created_at)
     select e.account_id, ?::int, e.id, l.position, e.subject_type, e.subject_id, e.sequence,
            greatest(
              lag(e.sequence) over (partition by e.subject_type, e.subject_id order by l.position),
              (select o.sequence from event o
               join webhook_delivery d on d.account_id = o.account_id and d.webhook_id = ? and d.event_id = o.id
               where o.account_id = e.account_id and o.subject_type = e.subject_type and o.subject_id = e.subject_id
                 and o.sequence < e.sequence order by o.sequence desc limit 1)),
            'waiting', ?::timestamptz
     from event_log l join event e on e.account_id = l.account_id and e.id = l.event_id
     where l.account_id = ? and l.position = any(?::bigint[])
     on conflict (account_id, webhook_id, event_id) do update set state = 'waiting', attempts = 0, ended_at = null`,
    [webhookId, webhookId, what.now, accountId, positions],
  );
  return [...new Set(lanes.map(({ shard }) => shard))];
}
