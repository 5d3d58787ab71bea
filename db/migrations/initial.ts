import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { migrationNames } from './names.ts';

/** The database was not made by this version's first migration: its message is for the operator. */
export class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase';
}

const [INITIAL] = migrationNames;

/** Said of the table of migrations by the first one, in its own transaction: which one it was. */
export function markOf(name: string): string | null {
  if (name !== INITIAL) return null;
  return createHash('sha256')
    .update(readFileSync(new URL(`${INITIAL}.sql`, import.meta.url)))
    .digest('hex');
}

/** Throws ForeignDatabase for a database of a development state before 0.1.0, whose first migration was another. */
export async function refuseForeign(query: (sql: string) => Promise<unknown>): Promise<void> {
  const found = await query(
    `select obj_description(to_regclass('mikro_orm_migrations'), 'pg_class') as mark
     where to_regclass('mikro_orm_migrations') is not null and to_regclass('account') is not null`,
  );
  const [row] = Array.isArray(found) ? found : [];
  if (row === undefined || row.mark === markOf(INITIAL)) return;
  throw new ForeignDatabase(
    'This database was made by an earlier development state of Perennial. Until 0.1.0 is released such data is not kept: ' +
      'start with an empty database, or with another data folder (PERENNIAL_DATA).',
  );
}
