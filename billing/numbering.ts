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
 * What each missing number is explained by: an explanation of that number alone, else of a range that covers it, of several the first.
 * Consecutive numbers of one explanation are one range. Goes through both once, however many there are.
 */
export function explainMissing(missing: readonly NumberRange[], explanations: readonly Explained[]): Missing[] {
  const isAlone = ({ first, last }: NumberRange) => first === last;
  const alone = inOrder(explanations.filter(isAlone));
  const ranges = inOrder(explanations.filter((one) => !isAlone(one)));
  const parts: Missing[] = [];
  for (const { first, last } of inOrder(missing)) {
    for (let start = first; start <= last; ) {
      const number = alone.from(start);
      const range = ranges.from(start);
      const one = [number, range].find((known) => known !== null && known.first <= start) ?? null;
      const nextAt = [number, one ? null : range].map((known) => known?.first ?? last + 1);
      const end =
        one === number && one !== null ? start : Math.min(last, one?.last ?? last, ...nextAt.map((at) => at - 1));
      parts.push({ first: start, last: end, reason: one?.reason ?? 'unknown', documentId: one?.documentId ?? null });
      start = end + 1;
    }
  }
  return parts;
}

/** Ranges by their first numbers; `from` answers the first that ends at a number or later, for numbers that only grow. */
function inOrder<Range extends NumberRange>(
  given: readonly Range[],
): Iterable<Range> & { from(n: number): Range | null } {
  const sorted = [...given].sort((one, other) => one.first - other.first);
  let at = 0;
  return {
    [Symbol.iterator]: () => sorted.values(),
    from(n) {
      while ((sorted[at]?.last ?? n) < n) at += 1;
      return sorted[at] ?? null;
    },
  };
}

/** Spaces, and characters that are displayed as one. */
const SPACES = /[\s\u2800\u{1d159}\u{13441}\u{13442}]+/gu;

/** Dashes and minus signs: most fonts display them like a hyphen. */
const DASHES = /[\p{Dash_Punctuation}\u02d7\u2043\u2212\u2796]/gu;

/**
 * What numbers are compared by: two that look the same but for their case are one. Compatible characters are one (a full-width `１` is `1`),
 * runs of spaces and of what looks like them are one space, every dash is a hyphen, what is hidden does not count, `ß` is `ss`. A number of digits after a prefix has the key of the prefix and
 * these digits.
 */
export function numberKey(number: string): string {
  const folded = visibleLine(number.normalize('NFKC').toLowerCase().toUpperCase()).normalize('NFKC');
  return visibleLine(folded).replace(SPACES, ' ').replace(DASHES, '-').trim();
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
