import { expect } from '@jest/globals';
import type { Product } from './product.ts';
import type { Received } from './receiver.ts';
import { until } from './wait.ts';

/**
 * Counts the work that is due now, or within two seconds: `subscribe` of business.ts starts subscriptions a second ahead. Work that waits for
 * a later time does not count.
 */
const unfinishedWork = `
  select (select count(*)::int from outbox where topic = 'event' or due_at <= now()) as "outbox rows",
         (select count(*)::int from event e left join event_log l on l.account_id = e.account_id and l.event_id = e.id
          where l.position is null) as "events not in the log",
         (select count(*)::int from webhook_delivery d join webhook w on w.account_id = d.account_id and w.id = d.webhook_id
          where d.state = 'waiting' and w.enabled) as "deliveries waiting",
         (select count(*)::int from email where state = 'queued') as "emails queued",
         (select count(*)::int from attempt where state in ('open', 'unknown')) as "attempts without an outcome",
         (select count(*)::int from wakeup where time_base = 'real' and at <= now() + interval '2 s') as "wake-ups due"`;

/**
 * Waits until all due work is done. Then expects clean books, and that every event was delivered once to each endpoint of `to`. These
 * endpoints must exist before the first event and take all types.
 */
export async function expectSound(product: Product, to: { id: number }[] = []): Promise<void> {
  const left = async () => {
    const [counts = {}] = await product.rows<Record<string, number>>(unfinishedWork);
    const some = Object.entries(counts).filter(([, count]) => count > 0);
    if (some.length > 0) throw new Error(some.map(([what, count]) => `${count} ${what}`).join(', '));
    return true;
  };
  await until(left, { what: 'everything to be done' });
  expect(await product.audit()).toEqual([]);
  const [events] = await product.rows<{ count: number }>('select count(*)::int as count from event_log');
  for (const { id } of to) {
    const sql = `select count(*)::int as count from webhook_delivery where webhook_id = ? and state = 'delivered'`;
    const [delivered] = await product.rows<{ count: number }>(sql, [id]);
    expect({ webhook: id, delivered: delivered?.count }).toEqual({ webhook: id, delivered: events?.count });
  }
}

/** An event as an endpoint received it. */
export interface DeliveredEvent {
  id: number;
  type: string;
  object: string;
  sequence: number;
  previousSequence: number | null;
}

/** The distinct events that a receiver got, in order of their first delivery. */
export function eventsOf(requests: readonly Received[]): DeliveredEvent[] {
  const seen = new Map<number, DeliveredEvent>();
  for (const { body } of requests) {
    const { id, type, data, sequence, previous_sequence: previousSequence } = JSON.parse(body);
    const object = `${data.object.object} ${data.object.id}`;
    if (!seen.has(id)) seen.set(id, { id, type, object, sequence, previousSequence });
  }
  return [...seen.values()];
}

/** Expects that the events of each object came in order, and that each refers to the one before it. `earlier`: last sequences before, by object. */
export function expectOrder(requests: readonly Received[], earlier: ReadonlyMap<string, number> = new Map()): void {
  const last = new Map(earlier);
  for (const event of eventsOf(requests)) {
    const before = last.get(event.object) ?? null;
    expect({ ...event, before }).toEqual({ ...event, before: event.previousSequence });
    if (before !== null) expect(event.sequence).toBeGreaterThan(before);
    last.set(event.object, event.sequence);
  }
}

/** Ids of the events that a receiver got more than once. */
export function repeatedEventIds(requests: readonly Received[]): number[] {
  const ids = requests.map(({ body }) => JSON.parse(body).id as number);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
