import { readFileSync, writeFileSync } from 'node:fs';
import { openDatabaseAsOwner } from '../migrate.ts';
import { draftDeclared } from './draftDeclared.ts';

/**
 * Writes the difference between the entities and the migrated database at DATABASE_URL to `db/migrations/<name>.sql`, for review:
 * `DATABASE_URL=… node db/migrations/generate.ts 0002_coupons`. Adds the name to names.ts, and a draft of its effects to declared.ts.
 */
const [name] = process.argv.slice(2);
const url = process.env.DATABASE_URL;
if (!name || !url) throw new Error('Usage: DATABASE_URL=… node db/migrations/generate.ts <name>');
const orm = await openDatabaseAsOwner(url);
const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: true });
await orm.close(true);
writeFileSync(new URL(`${name}.sql`, import.meta.url), sql.trim().concat('\n'));
const names = new URL('names.ts', import.meta.url);
writeFileSync(names, readFileSync(names, 'utf8').replace('] as const;', `  '${name}',\n] as const;`));
const declared = new URL('declared.ts', import.meta.url);
writeFileSync(
  declared,
  readFileSync(declared, 'utf8').replace(/};\n$/, () => `${draftDeclared(name, sql)}};\n`),
);
