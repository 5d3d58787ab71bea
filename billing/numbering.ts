import { visibleLine } from './visibleText.ts';

/** Some consecutive numbers of a series. */
export interface NumberRange {
  first: number;
  last: number;
}

/** Why nothing issued has a number: the document that had it was deleted, took another, was a draft that is gone, or still is a draft; went with its test clock; the series was moved on; or nobody knows. */
export type MissingReason = 'deleted' | 'changed' | 'draft_deleted' | 'clock_deleted' | 'draft' | 'skipped' | 'unknown';

export interface Explained extends NumberRange {
  reason: Exclude<MissingReason, 'unknown'>;
  documentId: number | null;
}

export interface Missing extends NumberRange {
  reason: MissingReason;
  documentId: number | null;
}

/**
 * What each missing number is explained by, the first explanation that covers it; consecutive ones of one explanation are one range.
 * Both are in the order of their first numbers, and are gone through once.
 */
export function explainMissing(missing: readonly NumberRange[], explanations: readonly Explained[]): Missing[] {
  const parts: Missing[] = [];
  let known = 0;
  for (const { first, last } of missing) {
    for (let start = first; start <= last; ) {
      while ((explanations[known]?.last ?? start) < start) known += 1;
      const one = explanations[known];
      const isCovered = one !== undefined && one.first <= start;
      const end = Math.min(last, isCovered ? one.last : (one?.first ?? last + 1) - 1);
      const why = isCovered ? one : null;
      parts.push({ first: start, last: end, reason: why?.reason ?? 'unknown', documentId: why?.documentId ?? null });
      start = end + 1;
    }
  }
  return parts;
}

/**
 * What numbers are compared by: two that look the same but for their case are one. Compatible characters are one (a full-width `１` is `1`),
 * runs of spaces are one space, what is hidden does not count, `ß` is `ss`. A number of digits after a prefix has the key of the prefix and
 * these digits.
 */
export function numberKey(number: string): string {
  const folded = visibleLine(number.normalize('NFKC').toLowerCase().toUpperCase()).normalize('NFKC');
  return visibleLine(folded).replace(/\s+/g, ' ').trim();
}

/** A number, or none yet, with its key, as rows have both. */
export function numbered(number: string | null): { number: string | null; numberKey: string | null } {
  return { number, numberKey: number === null ? null : numberKey(number) };
}

/** What the keys of a series begin with: its digits follow. */
export function prefixKey(prefix: string): string {
  return numberKey(`${prefix}0`).slice(0, -1);
}

/** A number of a series as documents show it. */
export function numberText(prefix: string, value: number): string {
  return `${prefix}${String(value).padStart(5, '0')}`;
}
