import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { sourceFiles } from '../support/sources.ts';

/** docs/writing.md and docs/rights.md: how rows are written, and who decides whose rows a connection shows. */

const sources = sourceFiles()
  .filter((file) => /^(adapters|api|bin|commands|db|workers)\//.test(file))
  .map((file) => ({ file, source: readFileSync(join(projectFolder, file), 'utf8') }));

/** Files of the product in which a pattern occurs. */
function found(pattern: RegExp): string[] {
  return sources.filter(({ source }) => pattern.test(source)).map(({ file }) => file);
}

const FLUSH = /\.(flush|persist|insert|insertMany|upsertMany|nativeInsert)\(/;
const TRANSACTION = /\.(transactional|begin|allowAppending)\(/;

test('entities and appended rows are written by one call, in transactions of one kind', () => {
  expect(found(FLUSH)).toEqual(['db/orm.ts']);
  // A list sets a time limit, which only a transaction can.
  expect(found(TRANSACTION)).toEqual(['db/queries/kernel/reading.ts', 'db/transaction.ts']);
});

/** Classes of appended rows. Lines and emails are entities, too, once they exist. */
const appended = new Set(
  sources.flatMap(({ source }) => [...source.matchAll(/\bem\.append\((\w+)/g)].map(([, name = '']) => name)),
);
for (const name of ['Email', 'LineItem']) appended.delete(name);
const classes = [...appended].join('|');
const tables = classes.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
const AS_ENTITY = new RegExp(`\\.(create|upsert|assign|persist)\\((${classes})\\b`);
const AS_STATEMENT = new RegExp(`insert into "?(${tables})\\b`);
const BY_VALUES = new RegExp(`${AS_STATEMENT.source}"? *\\([^)]*\\)\\s*values \\(\\?`);

test('rows of append-only tables are appended, or inserted by a statement over a set of rows', () => {
  expect(tables.split('|').toSorted()).toEqual(
    'attempt_credit attempt_invoice attempt_refund audit_log event ledger_entry outbox payment_application task_invoice test_clock_step text_message usage_total'.split(
      ' ',
    ),
  );
  expect(found(AS_ENTITY)).toEqual([]);
  expect(found(BY_VALUES)).toEqual([]);
  expect(found(AS_STATEMENT).filter((file) => !file.startsWith('db/'))).toEqual([]);
  expect(AS_ENTITY.test("em.create(PaymentApplication, { type: 'credit' })")).toBe(true);
  expect(BY_VALUES.test('insert into outbox (account_id, topic)\n values (?, ?)')).toBe(true);
});

const REACHES_IN = /\bReflect\.(set|defineProperty)\(|\bsetPrototypeOf\(|\bregisterSubscriber\(|\bsubscribers:/;
const PATCH =
  /\b(pool|client|connection|driver|em|orm)\.\w+ = |\bdefineProperty\((pool|client|connection|driver|em|orm)\b/;

test('work runs for an account by `withAccount`, one class tells connections the account, and no driver is patched', () => {
  expect(found(/\bCONFINE\b/)).toEqual(['db/pooledConnection.ts', 'db/tenant.ts']);
  // The functions that find the account of a credential set it themselves.
  expect(found(/\bACCOUNT_SETTING\b|app\.account_id/)).toEqual(['db/lookups.ts', 'db/tenant.ts']);
  expect(found(/\bfindingTenant\(/)).toEqual(['api/middleware/authentication.ts', 'api/middleware/sessions.ts']);
  expect(found(/\btenants\.run\(/)).toEqual(['db/tenant.ts']);
  expect(found(/\bnew AccountPool\(/)).toEqual(['db/database.ts']);
  expect(found(REACHES_IN)).toEqual([]);
  expect(found(PATCH)).toEqual([]);
  expect(REACHES_IN.test("Reflect.set(orm, 'em', em);")).toBe(true);
  expect(PATCH.test('pool.connect = async () => {')).toBe(true);
  expect(PATCH.test("Object.defineProperty(client, 'release', {")).toBe(true);
});
