import { randomUUID } from 'node:crypto';
import { p } from '@mikro-orm/core';

/** The account is the first part of every key: no row is reachable without its account. */
export const tenantKey = {
  accountId: p.integer().primary(),
  id: p.integer().primary().autoincrement(),
};

/** A 64-bit id, for tables to which a renewal adds several rows. Still a number: 2^53 ids are enough. */
export const longId = () => p.bigint('number');

/** The same key with a 64-bit id. */
export const longTenantKey = {
  accountId: p.integer().primary(),
  id: longId().primary().autoincrement(),
};

/** Written by commands with the time they were given, never by the database. */
export const timestamps = {
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
};

/** How many events an object has, which is the sequence of its latest one. */
export const eventCount = p.integer().default(0);

/** An amount: decimal text, at most four decimals (the most that ISO 4217 knows). */
export const amount = () => p.decimal().precision(18).scale(4);

/** A quantity, unit cost or rate: decimal text, at most ten decimals. */
export const exact = () => p.decimal().precision(25).scale(10);

/** Ids of tax rates, in order. Tax rates cannot be deleted, so the ids stay valid. */
export const taxRateIds = p.array((id) => Number(id)).columnType('int[]');

export const metadata = p
  .json()
  .$type<Record<string, string>>()
  .onCreate(() => ({}));

/** A new secret part of a public URL; nobody can guess it. */
export function newToken(): string {
  return randomUUID().replaceAll('-', '');
}

/** SQL: a new token, as `newToken` makes it. */
export const NEW_TOKEN = `replace(gen_random_uuid()::text, '-', '')`;

/** Secret last part of a document's public URLs; nobody can guess it. */
export const token = p
  .string()
  .length(32)
  .onCreate(newToken)
  .defaultRaw("replace((gen_random_uuid())::text, '-'::text, ''::text)");

/** SQL: values of a column, for its conditions: `'open', 'unknown'`. */
export const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** The check of a table that a column holds one of these values. */
export function oneOf(table: string, column: string, values: readonly string[]) {
  return { name: `${table}_${column}`, expression: `${column} in (${quoted(values)})` };
}
