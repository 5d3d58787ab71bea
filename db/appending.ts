import type { EntityClass, EventSubscriber, FlushEventArgs, RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from './orm.ts';
import { type Writing, writingOf } from './queries/kernel/writing.ts';

/** The values of a row to be written. */
export type NewRow<Entity> = RequiredEntityData<Entity>;

interface Appended {
  em: EntityManager;
  tables: Map<Writing, object[]>;
}

/** Rows that wait for the next flush, by the entity manager that will write them. */
const waiting = new WeakMap<object, Appended>();

/**
 * Queues a copy of a row for the next flush. The transaction may neither read nor change the row before: `em.find` and `em.count` do not
 * flush it. The next flush writes all queued rows, of whatever tables, in one statement after everything else. They are not entities and
 * not tracked.
 */
export function append<Entity extends object>(
  em: EntityManager,
  entity: EntityClass<Entity>,
  row: NewRow<Entity>,
): void {
  if (!em.isInTransaction()) throw new Error('rows are appended in transactions only');
  const { tables } = waiting.get(em) ?? wait(em);
  const writing = writingOf(em, entity);
  const rows = tables.get(writing) ?? [];
  tables.set(writing, rows);
  rows.push({ ...row });
}

function wait(em: EntityManager): Appended {
  const subscribers = [...em.getEventManager().getSubscribers()];
  if (!subscribers.some((subscriber) => subscriber instanceof AppendedRows))
    throw new Error('nobody writes what is appended: the database was opened without AppendedRows');
  const appended: Appended = { em, tables: new Map() };
  waiting.set(em, appended);
  return appended;
}

/** Writes the queued rows after a flush, in its transaction. */
export class AppendedRows implements EventSubscriber {
  async afterFlush(flushed: FlushEventArgs): Promise<void> {
    const appended = waiting.get(flushed.em);
    if (!appended) return;
    const { em, tables } = appended;
    waiting.delete(em);
    // Sorted by table, so that few statement texts arise: the server keeps each text that it is sent.
    const sorted = [...tables].toSorted(([left], [right]) => (left.table < right.table ? -1 : 1));
    const parts = sorted.map(([{ addition }]) => addition);
    const before = parts.slice(1).map((sql, index) => `part${index} as (${sql})`);
    const [first] = parts;
    const given = sorted.map(([writing, added]) => writing.added(added));
    await em.execute(`${before.length > 0 ? `with ${before.join(', ')} ` : ''}${first}`, [...given.slice(1), given[0]]);
  }
}
