import type {
  EntityClass,
  EntityMetadata,
  EntityProperty,
  EventSubscriber,
  FlushEventArgs,
  RequiredEntityData,
} from '@mikro-orm/core';
import type { EntityManager } from './orm.ts';

type Row = Record<string, unknown>;

interface Appended {
  em: EntityManager;
  tables: Map<EntityMetadata, Row[]>;
}

/** Rows that wait for the next flush, by the entity manager that will write them. */
const waiting = new WeakMap<object, Appended>();

/**
 * Adds a row to a table that commands only ever add to. The next flush writes all such rows, of whatever tables, in one statement after
 * everything else. They are no entities: nothing of them is tracked, and the transaction itself sees them once they are flushed.
 */
export function append<Entity extends object>(
  em: EntityManager,
  entity: EntityClass<Entity>,
  row: RequiredEntityData<Entity>,
): void {
  const subscribers = [...em.getEventManager().getSubscribers()];
  if (!subscribers.some((subscriber) => subscriber instanceof AppendedRows))
    throw new Error('nobody writes what is appended: the database was opened without AppendedRows');
  if (!em.isInTransaction()) throw new Error('rows are appended in transactions only');
  const { tables } = waiting.get(em) ?? { tables: new Map<EntityMetadata, Row[]>() };
  waiting.set(em, { em, tables });
  const meta = em.getMetadata().get(entity);
  const rows = tables.get(meta) ?? [];
  tables.set(meta, rows);
  rows.push({ ...row });
}

/** Writes what was appended, in the transaction of the flush that it follows. */
export class AppendedRows implements EventSubscriber {
  async afterFlush(flushed: FlushEventArgs): Promise<void> {
    const appended = waiting.get(flushed.em);
    if (!appended) return;
    const { em, tables } = appended;
    waiting.delete(em);
    // In one order, whoever appended first: the server keeps each text that it is sent.
    const sorted = [...tables].toSorted(([left], [right]) => (left.tableName < right.tableName ? -1 : 1));
    const parts = sorted.map(([meta]) => insertion(meta));
    const before = parts.slice(1).map((sql, index) => `part${index} as (${sql})`);
    const [first] = parts;
    const rows = sorted.map(([meta, added]) => JSON.stringify(added.map((row) => inColumns(meta, row))));
    await em.execute(`${before.length > 0 ? `with ${before.join(', ')} ` : ''}${first}`, [...rows.slice(1), rows[0]]);
  }
}

/** One text for any number of rows, which are its one value, so that the server keeps it. */
function insertion(meta: EntityMetadata): string {
  const columns = columnsOf(meta);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const read = columns.map(({ name, isJson }) => (isJson ? `"${name}"::json` : `"${name}"`)).join(', ');
  const typed = columns.map(({ name, type, isJson }) => `"${name}" ${isJson ? 'text' : type}`).join(', ');
  return `insert into "${meta.tableName}" (${names}) select ${read} from json_to_recordset(?::json) as added(${typed})`;
}

function inColumns(meta: EntityMetadata, row: Row): Row {
  return Object.fromEntries(columnsOf(meta).map((column) => [column.name, column.valueIn(row)]));
}

interface Column {
  name: string;
  type: string;
  isJson: boolean;
  valueIn(row: Row): unknown;
}

const known = new WeakMap<EntityMetadata, Column[]>();

/** All columns but what the database makes itself. */
function columnsOf(meta: EntityMetadata): Column[] {
  const columns =
    known.get(meta) ??
    meta.props
      .filter(({ persist, autoincrement }) => persist !== false && !autoincrement)
      .map((prop) => columnOf(prop));
  known.set(meta, columns);
  return columns;
}

function columnOf({ name: property, fieldNames, columnTypes, default: preset }: EntityProperty): Column {
  const name = fieldNames.at(-1) ?? property;
  const type = columnTypes.at(-1) ?? 'text';
  const isJson = type === 'json';
  const isReference = fieldNames.length > 1; // by account, which is a column of its own, and id
  return {
    ...{ name, type, isJson },
    valueIn(row) {
      const given = row[property] ?? preset ?? null;
      if (isReference && Array.isArray(given)) return given.at(-1);
      if (isJson && given !== null) return JSON.stringify(given); // kept as it is, to the order of its members
      return typeof given === 'string' ? given.toWellFormed() : given;
    },
  };
}
