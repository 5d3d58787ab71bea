import { randomUUID } from 'node:crypto';
import { p } from '@mikro-orm/core';

/** First part of every key: no row is reachable without the account that owns it. */
export const tenantKey = {
  accountId: p.integer().primary(),
  id: p.integer().primary().autoincrement(),
};

/** An id of 64 bits, for what a renewal writes several of. A number nonetheless: 2^53 of them are enough. */
export const longId = () => p.bigint('number');

/** The same key with such an id. */
export const longTenantKey = {
  accountId: p.integer().primary(),
  id: longId().primary().autoincrement(),
};

/** Written by commands with the time they were given, never by the database. */
export const timestamps = {
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
};

/** Counts the events of an object; the count is the event's sequence. */
export const eventCount = p.integer().default(0);

/** An amount: decimal text, at most four decimals (the most that ISO 4217 knows). */
export const amount = () => p.decimal().precision(18).scale(4);

/** A quantity, unit cost or rate: decimal text, at most ten decimals. */
export const exact = () => p.decimal().precision(25).scale(10);

/** Keys of the tax rates that something has, in order; there is no deleting one, so that they lead somewhere. */
export const taxRateIds = p.array((id) => Number(id)).columnType('int[]');

export const metadata = p
  .json()
  .$type<Record<string, string>>()
  .onCreate(() => ({}));

/** What the public addresses of a document end in: nobody can guess it. */
export const token = p
  .string()
  .length(32)
  .onCreate(() => randomUUID().replaceAll('-', ''))
  .defaultRaw("replace((gen_random_uuid())::text, '-'::text, ''::text)");
