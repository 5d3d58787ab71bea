import { type Missing, numberText } from '../../billing/numbering.ts';
import type { Numbering, PastPrefix, Series } from '../../db/schema/numbering.ts';
import type { Presented } from '../kernel/values.ts';

/** Prefix and next number of each series, keyed by the name of the series. */
export function presentNumbering(series: readonly Pick<Numbering, 'series' | 'prefix' | 'next'>[]): Presented {
  return Object.fromEntries(series.map(({ series: name, prefix, next }) => [name, { prefix, next }]));
}

/** A series with its missing numbers. */
export function presentAudited(
  { series, prefix, first, next }: Omit<PastPrefix, 'key'> & { series: Series },
  missing: readonly Missing[],
): Presented {
  const isUsed = next > first;
  return {
    series,
    prefix,
    first: isUsed ? numberText(prefix, first) : null,
    last: isUsed ? numberText(prefix, next - 1) : null,
    missing: missing.map((range) => ({
      first: numberText(prefix, range.first),
      last: numberText(prefix, range.last),
      count: range.last - range.first + 1,
      reason: range.reason,
      document: range.documentId,
    })),
  };
}
