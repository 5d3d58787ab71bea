import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { fromRun } from './environment.ts';

/** `url` connects as the owner. `drop` also ends whoever is still connected. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of its own, cloned from the migrated template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${fromRun('TEMPLATE')} strategy file_copy`);
}

/** A database with nothing in it, for tests that migrate it themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('');
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} ${options}`);
  const url = new URL(fromRun('POSTGRES_URL'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`drop database if exists ${name} with (force)`) };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: fromRun('POSTGRES_URL') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
