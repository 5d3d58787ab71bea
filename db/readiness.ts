import { migrationNames } from './migrations/names.ts';
import type { EntityManager } from './orm.ts';

/** Why requests cannot be served. */
export type Unready = 'database is not reachable' | 'database is not migrated to this version';

const PATIENCE_MILLISECONDS = 2000;

/** Checks that the database is reachable and migrated. Resolves within two seconds, with null if so. */
export function createReadiness(em: EntityManager): () => Promise<Unready | null> {
  let isMigrated = false;
  const ask = async (): Promise<Unready | null> => {
    const names = migrationNames.map(() => '?').join(', ');
    const statement = isMigrated
      ? 'select 1'
      : `select count(*) as known from mikro_orm_migrations where name in (${names})`;
    const [row] = await em.fork().execute<{ known?: string }[]>(statement, isMigrated ? [] : [...migrationNames]);
    isMigrated ||= Number(row?.known) === migrationNames.length;
    return isMigrated ? null : 'database is not migrated to this version';
  };
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Unready>((resolve) => {
      timer = setTimeout(() => resolve('database is not reachable'), PATIENCE_MILLISECONDS);
    });
    const asked = ask().catch((error: unknown): Unready => {
      return isMissingTable(error) ? 'database is not migrated to this version' : 'database is not reachable';
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  };
}

function isMissingTable(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === '42P01';
}
