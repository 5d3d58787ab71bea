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

/** What each missing number is explained by, the first explanation that covers it; consecutive ones of one explanation are one range. */
export function explainMissing(missing: readonly NumberRange[], explanations: readonly Explained[]): Missing[] {
  return missing.flatMap(({ first, last }) => {
    const covering = explanations.filter((one) => one.first <= last && one.last >= first);
    const edges = covering.flatMap((one) => [Math.max(one.first, first), Math.min(one.last, last) + 1]);
    const starts = [...new Set([first, ...edges])].filter((edge) => edge <= last).sort((a, b) => a - b);
    const parts = starts.map((start, index): Missing => {
      const one = covering.find((candidate) => candidate.first <= start && candidate.last >= start);
      const end = (starts[index + 1] ?? last + 1) - 1;
      return { first: start, last: end, reason: one?.reason ?? 'unknown', documentId: one?.documentId ?? null };
    });
    return parts;
  });
}

/** A number of a series as documents show it. */
export function numberText(prefix: string, value: number): string {
  return `${prefix}${String(value).padStart(5, '0')}`;
}
