import type { EntityManager } from '../../db/orm.ts';

/** Column names, without `_id`, that can refer to an object of any table. */
const ANY = ['subject', 'redeemer', 'document', 'clock'];

/**
 * Tables with rows of customers, found through the entities: tables that refer to a customer directly or through others, by a foreign key
 * or by a column that is named after such a table.
 */
export function ownedTables(em: EntityManager): string[] {
  const tables = [...em.getMetadata().getAll().values()].filter((meta) => !meta.expression && !meta.embeddable);
  const owned = new Set(['customer']);
  for (let size = 0; size < owned.size; ) {
    size = owned.size;
    const columns = new Set([...owned, ...ANY].map((name) => `${name}_id`));
    for (const { tableName, props } of tables) {
      const refers = props.some(({ kind, fieldNames = [], targetMeta }) =>
        kind === 'm:1' ? owned.has(targetMeta?.tableName ?? '') : fieldNames.some((name) => columns.has(name)),
      );
      // Only references to a customer count. A customer refers to its clock, but a clock does not belong to the customer.
      if (refers) owned.add(tableName);
    }
  }
  return [...owned].sort();
}
