import { type MissingNumbers, numberText } from '../../billing/numbering.ts';
import type { Numbering, PastPrefix, Series } from '../../db/schema/numbering.ts';
import type { Presented } from '../kernel/values.ts';

/** Prefix and next number of each series, keyed by the name of the series. */
export function presentNumbering(series: readonly Pick<Numbering, 'series' | 'prefix' | 'next'>[]): Presented {
  return Object.fromEntries(series.map(({ series: name, prefix, next }) => [name, { prefix, next }]));
}

/** A number series under one prefix. */
export type AuditedSeries = Omit<PastPrefix, 'key'> & { series: Series };

/** An audited series, without its missing numbers. */
export function presentAudited({ series, prefix, first, next }: AuditedSeries): Presented {
  const isUsed = next > first;
  return {
    series,
    prefix,
    first: isUsed ? numberText(prefix, first) : null,
    last: isUsed ? numberText(prefix, next - 1) : null,
  };
}

/** Missing numbers of a series. */
export function presentMissing(
  { prefix }: AuditedSeries,
  { first, last, reason, documentId }: MissingNumbers,
): Presented {
  return {
    first: numberText(prefix, first),
    last: numberText(prefix, last),
    count: last - first + 1,
    reason,
    document: documentId,
  };
}
