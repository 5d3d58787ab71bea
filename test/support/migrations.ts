import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { openDatabaseAsOwner } from '../../db/migrate.ts';
import type { MikroORM } from '../../db/orm.ts';
import { projectFolder } from '../suites.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** The statements of a migration. `name`: that of its file, without its ending. */
export function migrationSql(name: string): string {
  return readFileSync(join(projectFolder, `db/migrations/${name}.sql`), 'utf8');
}

/** A database for the tests of a file that migrate rows. `transaction` runs work in which rows need no other rows that they refer to. */
export function rowsToMigrate(): {
  transaction<Result>(work: (em: MikroORM['em']) => Promise<Result>): Promise<Result>;
} {
  let database: TestDatabase;
  let orm: MikroORM;
  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await openDatabaseAsOwner(database.url);
  });
  afterAll(async () => {
    await orm.close(true);
    await database.drop();
  });
  return {
    transaction: (work) =>
      orm.em.transactional(async (em) => {
        await em.execute('set local session_replication_role = replica');
        return work(em);
      }),
  };
}
