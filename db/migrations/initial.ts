import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { migrationNames } from './names.ts';

/** Thrown for a database whose first migration differs from this version's. The message is for the operator. */
export class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase';
}

const [INITIAL] = migrationNames;

/**
 * Hash of the first migration. That migration stores it as the comment of the migrations table, in its own transaction. Null for other
 * migrations.
 */
export function markOf(name: string): string | null {
  if (name !== INITIAL) return null;
  return createHash('sha256')
    .update(readFileSync(new URL(`${INITIAL}.sql`, import.meta.url)))
    .digest('hex');
}

/** Throws ForeignDatabase for a database of a development state before 0.1.0, which had another first migration. */
export async function refuseForeign(query: (sql: string) => Promise<unknown>): Promise<void> {
  const found = await query(
    `select obj_description(to_regclass('mikro_orm_migrations'), 'pg_class') as mark
     where to_regclass('mikro_orm_migrations') is not null and to_regclass('account') is not null`,
  );
  const [row] = Array.isArray(found) ? found : [];
  if (row === undefined || row.mark === markOf(INITIAL)) return;
  throw new ForeignDatabase(
    'This database was made by a development state of Perennial before 0.1.0. Such data is not kept: ' +
      'start with an empty database, or with another data folder (PERENNIAL_DATA).',
  );
}
