import { migrationNames } from './migrations/names.ts';
import type { EntityManager } from './orm.ts';
import { missingRights } from './rights.ts';
import { asSystem } from './tenant.ts';

/** Why requests cannot be served. */
export type Unready =
  | 'database is not reachable'
  | 'database is not migrated to this version'
  | 'logins of the database lack rights: run `migrate`';

const PATIENCE_MILLISECONDS = 2000;

/** Checks that the database is reachable and migrated, and that its logins have their rights. Resolves within two seconds, with null if so. */
export function createReadiness(em: EntityManager): () => Promise<Unready | null> {
  let isFit = false;
  const ask = async (): Promise<Unready | null> => {
    if (isFit)
      return em
        .fork()
        .execute('select 1')
        .then(() => null);
    const names = migrationNames.map(() => '?').join(', ');
    const statement = `select count(*) as known from mikro_orm_migrations where name in (${names})`;
    const [row] = await em.fork().execute<{ known?: string }[]>(statement, [...migrationNames]);
    if (Number(row?.known) !== migrationNames.length) return 'database is not migrated to this version';
    if ((await lackedRights(em)).length > 0) return 'logins of the database lack rights: run `migrate`';
    isFit = true;
    return null;
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

/** The rights that the logins of this process lack, each as `select on invoice`. */
export async function lackedRights(em: EntityManager): Promise<string[]> {
  const ask = async (login: 'app' | 'system') => {
    const { sql, values } = missingRights(login);
    return em.fork().execute<{ missing: string }[]>(sql, values);
  };
  const lacked = [...(await ask('app')), ...(await asSystem(() => ask('system')))];
  return [...new Set(lacked.map(({ missing }) => missing))];
}

function isMissingTable(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === '42P01';
}
