import { prefixKey } from '../../billing/documents/numbering.ts';
import { MOST_PREFIXES } from '../../billing/limits.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { addSeries, lockSeries, storedSeries } from '../../db/queries/accounts/numberSeries.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { firstPrefixes, type Numbering, NumberingGap, type Series } from '../../db/schema/numbering.ts';

/** Prefix and next number of a series, as requested. */
export interface SeriesChange {
  prefix?: string | undefined;
  next?: number | undefined;
}

export type NumberingChange = { [Name in Series]?: SeriesChange | null | undefined };

/** The series of a new account. */
export function newSeries(accountId: number): Plain<Numbering>[] {
  return firstPrefixes.map(([series, prefix]) => {
    return { accountId, series, prefix, prefixKey: prefixKey(prefix), first: 1, next: 1, past: [] };
  });
}

/** The number series of an account, read from the database. */
export async function seriesOf(em: EntityManager, accountId: number): Promise<Plain<Numbering>[]> {
  const known = await storedSeries(em, accountId);
  return [...known, ...newSeries(accountId).filter(({ series }) => !known.some((one) => one.series === series))];
}

/** Adds the series that an account lacks, because a version without them opened it. */
export async function addMissingSeries(em: EntityManager, accountId: number): Promise<void> {
  for (const series of newSeries(accountId)) await addSeries(em, series);
}

/**
 * Changes number series of an account. Records skipped numbers as gaps, unless no number with this prefix was assigned yet. Locks the
 * series until the commit, so call it last. Refuses a next number below the current one, and a prefix above the limit.
 */
export async function changeNumbering(
  em: EntityManager,
  { accountId, numbering, now }: { accountId: number; numbering: NumberingChange; now: Date },
): Promise<void> {
  const rows = await lockSeries(em, accountId);
  if (rows.length < firstPrefixes.length) {
    await addMissingSeries(em, accountId);
    return changeNumbering(em, { accountId, numbering, now });
  }
  for (const row of rows) {
    const change = numbering[row.series];
    if (!change) continue;
    if (change.prefix !== undefined && change.prefix !== row.prefix) changePrefix(row, change.prefix);
    if (change.next !== undefined && change.next !== row.next) moveNextNumber(em, row, { next: change.next, now });
  }
}

/**
 * Changes the prefix. A new prefix starts at 1. A former prefix continues where it stopped. A prefix with the same key, for example in
 * another case, continues with the current number. Refuses a prefix above the limit.
 */
function changePrefix(row: Numbering, prefix: string): void {
  const { past, prefix: left, prefixKey: leftKey, first, next } = row;
  const key = prefixKey(prefix);
  if (key === leftKey) {
    row.prefix = prefix;
    return;
  }
  const known = past.find((one) => one.key === key) ?? { first: 1, next: 1 };
  const others = past.filter((one) => one.key !== key);
  if (others.length >= MOST_PREFIXES - 1) {
    const message = `A series has at most ${MOST_PREFIXES} prefixes, one after another: take one that it had before`;
    throw new Refusal('limit_exceeded', message, `numbering[${row.series}][prefix]`);
  }
  Object.assign(row, {
    prefix,
    prefixKey: key,
    first: known.first,
    next: known.next,
    past: [...others, { prefix: left, key: leftKey, first, next }],
  });
}

/** Sets the next number and records the skipped ones. Refuses a lower number. */
function moveNextNumber(em: EntityManager, row: Numbering, { next, now }: { next: number; now: Date }): void {
  const { accountId, series, prefixKey: prefix, next: first } = row;
  if (next < first) {
    throw new Refusal(
      'already_taken',
      `Next number must be at least ${first}: earlier ones are taken`,
      `numbering[${series}][next]`,
    );
  }
  if (row.first === first) {
    row.first = next;
  } else {
    const skipped = { first, last: next - 1, reason: 'skipped' as const, documentId: null };
    em.create(NumberingGap, { accountId, series, prefix, ...skipped, createdAt: now });
  }
  row.next = next;
}
