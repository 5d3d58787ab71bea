import type { EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from '../orm.ts';
import { Event } from '../schema/event.ts';

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

/** Part of the feed of an account: what comes after a position of the log, in its order. */
export interface Feed {
  accountId: number;
  position: string;
  type: string | null;
  related: { type: string; id: string } | null;
  limit: number;
  offset: number;
}

/** One page of a feed, and how many events it has in all. */
export async function readFeed(em: EntityManager, feed: Feed): Promise<{ events: Event[]; total: number }> {
  const { type, related } = feed;
  const conditions = [
    'l.account_id = ? and l.position > ?',
    ...(type === null ? [] : ['e.type = ?']),
    ...(related === null ? [] : ['e.subject_type = ? and e.subject_id = ?']),
  ];
  const values = [
    feed.accountId,
    feed.position,
    ...(type === null ? [] : [type]),
    ...(related ? [related.type, related.id] : []),
  ];
  const from = `from event_log l join event e on e.account_id = l.account_id and e.id = l.event_id where ${conditions.join(' and ')}`;
  const rows = await em.execute<EntityDictionary<Event>[]>(`select e.* ${from} order by l.position limit ? offset ?`, [
    ...values,
    feed.limit,
    feed.offset,
  ]);
  const [count] = await em.execute<{ total: string }[]>(`select count(*) as total ${from}`, values);
  return { events: rows.map((row) => em.map(Event, row)), total: Number(count?.total ?? 0) };
}
