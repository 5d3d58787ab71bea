import type { Change, Work } from './changes.ts';
import { declared } from './declared.ts';
import { refuseForeign } from './initial.ts';
import { type MigrationName, migrationNames } from './names.ts';

/** Rows per second, for rows of a kilobyte: measured on one busy core of a small machine. */
export const ROWS_PER_SECOND: Readonly<Record<Exclude<Work, 'catalog'>, number>> = {
  scan: 300_000,
  index: 200_000,
  update: 20_000,
  rewrite: 50_000,
};

/** A change, the row count of its table, and how long its lock is held (until the migration ends). */
export interface ForecastChange extends Change {
  rows: number;
  lockedSeconds: number;
}

export interface Forecast {
  name: MigrationName;
  creates: string;
  unusedSince: string | null;
  changes: ForecastChange[];
}

export interface Forecasts {
  pending: Forecast[];
  /** Migrations in the database that this version does not know: it was migrated by a later one. */
  unknown: string[];
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Forecasts what `migrate` would do to a database. Reads only PostgreSQL's catalogs. Throws ForeignDatabase as `migrate` does. */
export async function forecastMigrations(query: Query): Promise<Forecasts> {
  await refuseForeign(query);
  const done = await doneMigrations(query);
  const rows = new Map((await query(tableRows)).map(({ name, rows }) => [String(name), Number(rows)]));
  return {
    pending: migrationNames
      .filter((name) => !done.includes(name))
      .map((name) => ({ ...declared[name], name, changes: estimate(declared[name].changes, rows) })),
    unknown: done.filter(isUnknown),
  };
}

async function doneMigrations(query: Query): Promise<string[]> {
  const [found] = await query(`select to_regclass('mikro_orm_migrations') is not null as migrated`);
  return found?.migrated === true ? (await query('select name from mikro_orm_migrations order by id')).map(nameOf) : [];
}

const isUnknown = (name: string): boolean => !migrationNames.some((known) => known === name);

/** Thrown for a database that a later version has migrated. The message is for the operator. */
export class LaterDatabase extends Error {
  override readonly name = 'LaterDatabase';
}

/** Throws LaterDatabase for a database with migrations that this version does not know. */
export async function refuseLater(query: Query): Promise<void> {
  const unknown = (await doneMigrations(query)).filter(isUnknown);
  if (unknown.length === 0) return;
  throw new LaterDatabase(
    `A later version of Perennial has migrated this database: ${unknown.join(', ')}. Nothing has been changed, ` +
      'because this version does not know which rights the tables of the later one need. To roll back, start the APIs and then ' +
      'the workers of this version: they run on the later schema. To go forward again, run `migrate` of the later version.',
  );
}

/** Estimated rows, by PostgreSQL's statistics: counting them would take a lock and time. */
const tableRows = `
  select c.relname as name, greatest(c.reltuples, n_live_tup, 0) as rows
  from pg_class c join pg_stat_user_tables s on s.relid = c.oid where schemaname = 'public'`;

const nameOf = (row: Record<string, unknown>): string => String(row.name);

function estimate(changes: readonly Change[], rowsOf: ReadonlyMap<string, number>): ForecastChange[] {
  let lockedSeconds = 0;
  const fromTheEnd = changes.toReversed().map((change) => {
    const rows = rowsOf.get(change.table) ?? 0;
    if (change.work !== 'catalog') lockedSeconds += rows / ROWS_PER_SECOND[change.work];
    return { ...change, rows, lockedSeconds };
  });
  return fromTheEnd.reverse();
}
