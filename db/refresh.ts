import type { EntityClass, EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from './orm.ts';

/** Runs a statement that selects whole rows of one table. Entities that are already loaded get the new values. */
export async function refreshBy<Row extends object>(
  em: EntityManager,
  entity: EntityClass<Row>,
  statement: { sql: string; values: unknown[] },
): Promise<Row[]> {
  const rows = await em.execute<EntityDictionary<Row>[]>(statement.sql, statement.values);
  return rows.map((row) => em.map(entity, row));
}
