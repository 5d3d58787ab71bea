import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { backup } from '../../bin/backup/backup.ts';
import { restore } from '../../bin/backup/restore.ts';
import type { TestApi } from './api.ts';
import { printedLines } from './printedLines.ts';
import { testConfig } from './product.ts';
import { until } from './wait.ts';
import { guardsIn, type Rows, rowsIn, sequencesIn } from './wholeDatabase.ts';

/** Columns that a restore changes. */
const CHANGED = {
  // A restored database is another deployment, whose workers start all processes anew.
  'public.deployment': ['id', 'temporal_namespace_id'],
  // A restore fills the table of the migrations by migrating.
  'public.mikro_orm_migrations': ['executed_at'],
};
/** How far a restore moves the sequences on. */
const SKIPPED = 1_000_000;

/** A backup of an API's database and files, and what was in them. */
export interface Drill {
  rows: Rows;
  /** Restores into a database with the command's options. Returns the folder of the restored files. */
  restoreInto(url: string, ...options: string[]): Promise<string>;
  /** Expects that a restored database and its files are as the original was at the backup, and that its books are clean. */
  expectWhole(url: string, files: string): Promise<void>;
  remove(): Promise<void>;
}

/** Backs an API's database and files up. The API must be idle, and nothing else may write. */
export async function startDrill(api: TestApi): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-drill-'));
  const newFolder = () => join(folder, randomBytes(4).toString('hex'));
  /** Throws if rows have changed meanwhile: the API gives leases of its rate limit back after its answers. */
  const backUp = async () => {
    const to = newFolder();
    const rows = await rowsIn(api.databaseUrl, CHANGED);
    const config = testConfig({ DATABASE_URL: api.databaseUrl, FILES_FOLDER: api.filesFolder });
    await printedLines(() => backup(config, [to]));
    const written = differing(rows, await rowsIn(api.databaseUrl, CHANGED));
    if (written.length > 0) throw new Error(`written meanwhile: ${written.join()}`);
    return { rows, from: to };
  };
  const { rows, from } = await until(backUp, { what: 'a backup during which nothing is written' });
  return {
    rows,
    restoreInto: async (url, ...options) => {
      const files = newFolder();
      await printedLines(() => restore(testConfig({ DATABASE_URL: url, FILES_FOLDER: files }), [from, ...options]));
      return files;
    },
    expectWhole: async (url, files) => {
      const restored = await rowsIn(url, CHANGED);
      expect(Object.keys(restored)).toEqual(Object.keys(rows));
      expect(differing(rows, restored)).toEqual([]);
      expect(await guardsIn(url)).toEqual(await guardsIn(api.databaseUrl));
      const skipped = Object.entries(await sequencesIn(api.databaseUrl)).map(([name, last]) => [
        name,
        name.startsWith('public.') ? last + SKIPPED : last,
      ]);
      expect(await sequencesIn(url)).toEqual(Object.fromEntries(skipped));
      expect(await contentsOf(files)).toEqual(await contentsOf(api.filesFolder));
      expect(await auditDatabase(url)).toEqual([]);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The tables whose rows differ. */
function differing(rows: Rows, others: Rows): string[] {
  return Object.keys(rows).filter((table) => String(rows[table]) !== String(others[table]));
}

/** The contents of files, by their path. */
async function contentsOf(root: string): Promise<Record<string, string>> {
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const contents = await Promise.all(paths.map(async (path) => [path.slice(root.length), await readFile(path, 'hex')]));
  return Object.fromEntries(contents);
}
