import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { markOf } from './initial.ts';
import { migrationNames } from './names.ts';

/** A migration is one reviewed SQL file beside this one. */
function sqlMigration(name: string) {
  const file = new URL(`${name}.sql`, import.meta.url);
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(readFileSync(file, 'utf8'));
        const mark = markOf(name);
        if (mark !== null) this.addSql(`comment on table mikro_orm_migrations is '${mark}'`);
      }
    },
  };
}

export const migrationsList = migrationNames.map(sqlMigration);
