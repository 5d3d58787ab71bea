import type { EntityClass, EventSubscriber, FlushEventArgs, RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from './orm.ts';
import { type Writing, writingOf } from './queries/kernel/writing.ts';

/** What a row needs to be written. */
export type NewRow<Entity> = RequiredEntityData<Entity>;

interface Appended {
  em: EntityManager;
  tables: Map<Writing, object[]>;
}

/** Rows that wait for the next flush, by the entity manager that will write them. */
const waiting = new WeakMap<object, Appended>();

/**
 * Adds a row as it is now, which this transaction neither reads nor changes before it is flushed: `em.find` and `em.count` do not flush it
 * first. The next flush writes all such rows, of whatever tables, in one statement after everything else. They are no entities: nothing
 * of them is tracked.
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

/** Writes what was appended, in the transaction of the flush that it follows. */
export class AppendedRows implements EventSubscriber {
  async afterFlush(flushed: FlushEventArgs): Promise<void> {
    const appended = waiting.get(flushed.em);
    if (!appended) return;
    const { em, tables } = appended;
    waiting.delete(em);
    // In one order, whoever appended first: the server keeps each text that it is sent.
    const sorted = [...tables].toSorted(([left], [right]) => (left.table < right.table ? -1 : 1));
    const parts = sorted.map(([{ addition }]) => addition);
    const before = parts.slice(1).map((sql, index) => `part${index} as (${sql})`);
    const [first] = parts;
    const given = sorted.map(([writing, added]) => writing.added(added));
    await em.execute(`${before.length > 0 ? `with ${before.join(', ')} ` : ''}${first}`, [...given.slice(1), given[0]]);
  }
}
