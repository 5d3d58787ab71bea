import { visibleLine } from '../look/visibleText.ts';

/** A range of consecutive numbers of a series. */
export interface NumberRange {
  first: number;
  last: number;
}

/**
 * Reason why no issued document has a number. `deleted`: its document was deleted. `changed`: its document took another number.
 * `draft_deleted`: its draft was deleted. `draft`: a draft has it. `clock_deleted`: its document was deleted with a test clock. `skipped`:
 * the next number of the series was set past it. `unknown`: nothing explains it.
 */
export type MissingReason = 'deleted' | 'changed' | 'draft_deleted' | 'clock_deleted' | 'draft' | 'skipped' | 'unknown';

/** A recorded reason for a range of numbers without documents. */
export interface Explained extends NumberRange {
  reason: Exclude<MissingReason, 'unknown'>;
  documentId: number | null;
}

/** A range of missing numbers with its reason. */
export interface MissingNumbers extends NumberRange {
  reason: MissingReason;
  documentId: number | null;
}

/**
 * Explains each missing number: by an explanation of that number alone, else by the first range that covers it. Consecutive numbers with
 * the same explanation form one range. Goes through both sorted lists once, as the caller takes the ranges.
 */
export function* explainMissing(
  missing: readonly NumberRange[],
  explanations: readonly Explained[],
): Generator<MissingNumbers, void> {
  const isAlone = ({ first, last }: NumberRange) => first === last;
  const alone = inOrder(explanations.filter(isAlone));
  const ranges = inOrder(explanations.filter((one) => !isAlone(one)));
  for (const { first, last } of inOrder(missing)) {
    for (let start = first; start <= last; ) {
      const number = alone.from(start);
      const range = ranges.from(start);
      const one = [number, range].find((known) => known !== null && known.first <= start) ?? null;
      const nextAt = [number, one ? null : range].map((known) => known?.first ?? last + 1);
      const end =
        one === number && one !== null ? start : Math.min(last, one?.last ?? last, ...nextAt.map((at) => at - 1));
      yield { first: start, last: end, reason: one?.reason ?? 'unknown', documentId: one?.documentId ?? null };
      start = end + 1;
    }
  }
}

/** Sorts ranges by `first`. `from(n)` returns the first range whose `last` is at least n. n must not decrease between calls. */
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

/** Spaces, and characters that are displayed as spaces. */
const SPACES = /[\s\u2800\u{1d159}\u{13441}\u{13442}]+/gu;

/** Dashes and minus signs, which most fonts display like a hyphen. */
const DASHES = /[\p{Dash_Punctuation}\u02d7\u2043\u2212\u2796]/gu;

/**
 * Key by which document numbers are compared: numbers that look the same, apart from case, have the same key. Compatibility characters are
 * folded (a full-width `１` equals `1`). Runs of spaces and blank characters become one space. Every dash becomes a hyphen. Hidden
 * characters are removed. `ß` equals `ss`. The key of a prefix with digits is the key of the prefix followed by these digits.
 */
export function numberKey(number: string): string {
  const folded = visibleLine(number.normalize('NFKC').toLowerCase().toUpperCase()).normalize('NFKC');
  return visibleLine(folded).replace(SPACES, ' ').replace(DASHES, '-').trim();
}

/** A number with its key, as rows store both; null for a document without a number. */
export function numbered(number: string | null): { number: string | null; numberKey: string | null } {
  return { number, numberKey: number === null ? null : numberKey(number) };
}

/** The beginning of all keys of a series; the digits follow. */
export function prefixKey(prefix: string): string {
  return numberKey(`${prefix}0`).slice(0, -1);
}

/** A number of a series as documents show it. */
export function numberText(prefix: string, value: number): string {
  return `${prefix}${String(value).padStart(5, '0')}`;
}
