import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type DatabaseUrls, databaseUrls, newLogins, testEventSecret } from '../../adapters/databaseLogins.ts';
import { fromRun } from './environment.ts';
import { forbiddenInDatabase, refuseForbidden } from './forbidden.ts';

/** The encryption key of tests: the logins of every test database are its own. */
export const TEST_KEY = Buffer.alloc(32, 7);
export const TEST_LOGINS = newLogins(TEST_KEY);
/** The secret of the test gateway's events of an account. */
export const eventSecretOf = (accountId: number) => testEventSecret(TEST_KEY, accountId);

/**
 * `url` connects as the owner, `urls` as API and workers do. `drop` also ends whoever is still connected, and throws if the database has a card
 * number or a secret.
 */
export interface TestDatabase {
  url: string;
  urls: DatabaseUrls;
  drop(): Promise<void>;
}

/** A database of its own, cloned from the migrated template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${fromRun('TEMPLATE')} strategy file_copy`);
}

/** For a connection over all accounts that may do everything: tests set scenes that no statement of the product makes. */
export function ownerUrls({ url, urls }: TestDatabase): { app: string; system: string } {
  return { app: urls.app, system: withPatience(new URL(url)) };
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
  const urls = databaseUrls(withPatience(url), TEST_KEY);
  const drop = async () => {
    const found = await forbiddenInDatabase(url.href);
    await asAdmin(`drop database if exists ${name} with (force)`);
    refuseForbidden(found);
  };
  return { url: url.href, urls, drop };
}

/** Longer limits than the product's: a loaded machine may stop for seconds, and then a statement would fail in any test. */
function withPatience(url: URL): string {
  const patient = new URL(url);
  patient.searchParams.set('connect_timeout', '60');
  patient.searchParams.set('options', '-c statement_timeout=60s -c idle_in_transaction_session_timeout=60s');
  return patient.href;
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
