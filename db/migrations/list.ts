import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** A migration is one reviewed SQL file beside this one. */
function sqlMigration(name: string) {
  const file = new URL(`${name}.sql`, import.meta.url);
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(readFileSync(file, 'utf8'));
      }
    },
  };
}

/** Every migration, oldest first. Explicit, so that a file on disk is never run by accident. */
export const migrationsList = [sqlMigration('0001_initial')];
