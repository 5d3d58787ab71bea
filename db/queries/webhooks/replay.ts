import type { EntityManager } from '../../orm.ts';
import { all, type Condition, condition } from '../kernel/sql.ts';

/** Filter of the events to replay; null: any. Times are those of the events, both bounds inclusive. */
export interface ReplayedEvents {
  startAt: Date | null;
  endAt: Date | null;
  type: string | null;
  subject: { type: string; id: string } | null;
}

/**
 * A statement reads this many events, and a replay has at most this many statements. This bounds the time of each statement, and of the whole.
 */
const SLICE = 20_000;
const MOST_SLICES = 100;
export const MOST_LOOKED_AT = SLICE * MOST_SLICES;

/**
 * Log positions of the matching events, oldest first, at most `limit`. `types`: types that the endpoint wants; null: all. Returns null if
 * there are too many events to search.
 */
export async function replayedPositions(
  em: EntityManager,
  accountId: number,
  which: ReplayedEvents & { types: string[] | null; limit: number },
): Promise<string[] | null> {
  const positions: string[] = [];
  let after: Condition | null = null;
  for (let slice = 0; slice < MOST_SLICES; slice += 1) {
    const found = await readSlice(em, accountId, { which, after });
    positions.push(...found.positions);
    if (found.count < SLICE || positions.length >= which.limit)
      return positions.sort((a, b) => Number(a) - Number(b)).slice(0, which.limit);
    after = found.last;
  }
  return null;
}

type Matching = ReplayedEvents & { types: string[] | null };

/**
 * Reads the next slice of events in the order of the most selective index. Returns how many were read, the positions of those that match,
 * and where the slice ends.
 */
async function readSlice(
  em: EntityManager,
  accountId: number,
  { which, after }: { which: Matching; after: Condition | null },
): Promise<{ positions: string[]; count: number; last: Condition }> {
  const { order, within } = walkOf(which);
  const looked = all([condition('account_id = ?', accountId), ...within, ...(after ? [after] : [])]);
  const matching = all(conditionsOf(which));
  const keys = order.split(', ');
  const [row] = await em.execute<{ positions: string[] | null; count: number; last: string[] | null }[]>(
    `with part as (
       select account_id, id, type, subject_type, subject_id, sequence, occurred_at from event
       where ${looked.sql} order by ${order} limit ${SLICE}
     )
     select count(*)::int as count,
       (select json_agg(l.position::text) from (select * from part where ${matching.sql}) p
        join event_log l on l.account_id = p.account_id and l.event_id = p.id) as positions,
       (select json_build_array(${keys.map((key) => `${key}::text`).join()}) from part
        order by ${keys.map((key) => `${key} desc`).join()} limit 1) as last
     from part`,
    [...looked.values, ...matching.values],
  );
  const places = keys.map((key) => `?::${key === 'occurred_at' ? 'timestamptz' : 'bigint'}`).join();
  const last = condition(`(${order}) > (${places})`, ...(row?.last ?? []));
  return { positions: row?.positions ?? [], count: row?.count ?? 0, last };
}

/** The events to read, in the order of an index. */
function walkOf({ startAt, endAt, type, subject }: ReplayedEvents): { order: string; within: Condition[] } {
  if (subject) return { order: 'sequence', within: subjectIs(subject) };
  if (startAt || endAt) return { order: 'occurred_at, id', within: occurred(startAt, endAt) };
  return { order: 'id', within: type ? [condition('type = ?', type)] : [] };
}

function conditionsOf({ startAt, endAt, type, subject, types }: Matching): Condition[] {
  return [
    ...occurred(startAt, endAt),
    ...(type ? [condition('type = ?', type)] : []),
    ...(subject ? subjectIs(subject) : []),
    ...(types ? [condition('type in (select jsonb_array_elements_text(?::jsonb))', JSON.stringify(types))] : []),
  ];
}

function occurred(startAt: Date | null, endAt: Date | null): Condition[] {
  return [
    ...(startAt ? [condition('occurred_at >= ?', startAt)] : []),
    ...(endAt ? [condition('occurred_at <= ?', endAt)] : []),
  ];
}

function subjectIs({ type, id }: { type: string; id: string }): Condition[] {
  return [condition('subject_type = ? and subject_id = ?', type, id)];
}

/** Reserves the id of a replay: replays and deliveries share one sequence. */
export async function nextReplayId(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ id: number }[]>(`select nextval('webhook_delivery_id_seq') as id`);
  if (!row) throw new Error('no id reserved');
  return row.id;
}

/**
 * Re-enqueues events of the log on the lanes of an endpoint, due at once: existing deliveries wait again, missing ones are created. Locks
 * the lanes first, in the order of the fan-out, so that neither fan-out nor pumps interfere. Returns the shards with work.
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
    `with again as materialized (
       select e.account_id, e.id, l.position, e.subject_type, e.subject_id, e.sequence
       from event_log l join event e on e.account_id = l.account_id and e.id = l.event_id
       where l.account_id = ? and l.position = any(?::bigint[])
     ), sent as (
       select subject_type, subject_id, sequence from again
       union
       select o.subject_type, o.subject_id, o.sequence
       from (select subject_type, subject_id, max(sequence) as most from again group by subject_type, subject_id) s
       join event o on o.account_id = ? and o.subject_type = s.subject_type and o.subject_id = s.subject_id and o.sequence < s.most
       join webhook_delivery d on d.account_id = o.account_id and d.webhook_id = ? and d.event_id = o.id
     ), placed as (
       select *, lag(sequence) over (partition by subject_type, subject_id order by sequence) as previous from sent
     )
     insert into webhook_delivery
       (account_id, webhook_id, event_id, position, subject_type, subject_id, sequence, previous_sequence, state, created_at)
     select account_id, ?::int, id, position, subject_type, subject_id, sequence, previous, 'waiting', ?::timestamptz
     from again join placed using (subject_type, subject_id, sequence)
     on conflict (account_id, webhook_id, event_id) do update set state = 'waiting', attempts = 0, ended_at = null`,
    [accountId, positions, accountId, webhookId, webhookId, what.now],
  );
  return [...new Set(lanes.map(({ shard }) => shard))];
}
