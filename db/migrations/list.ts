import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { markOf } from './initial.ts';
import { migrationNames } from './names.ts';

/**
 * Lock timeout of a migration, during which later transactions wait behind it. Longer than PostgreSQL's `deadlock_timeout` of one second,
 * after which an autovacuum gives way.
 */
export const LOCK_SECONDS = 2;

/** A migration is one reviewed SQL file beside this one. */
function sqlMigration(name: string) {
  const file = new URL(`${name}.sql`, import.meta.url);
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(`set local lock_timeout = '${LOCK_SECONDS}s'`);
        this.addSql(readFileSync(file, 'utf8'));
        const mark = markOf(name);
        if (mark !== null) this.addSql(`comment on table mikro_orm_migrations is '${mark}'`);
      }
    },
  };
}

export const migrationsList = migrationNames.map(sqlMigration);
