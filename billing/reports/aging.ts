import { Refusal } from '../refusal.ts';

/** Ages are counted in local days after the due date, or after the date of the document. */
export type AgedBy = 'due_date' | 'date';

/** A range of ages, in days. Null: no bound. */
export interface Bucket {
  id: string;
  title: string;
  from: number | null;
  to: number | null;
}

const DEFAULT_BOUNDS: readonly number[] = [30, 60, 90, 120];
const MOST_BOUNDS = 12;
const LONGEST_DAYS = 3650;

/** Reads the last days of the buckets, such as `30,60,90`. Refuses what does not rise. Absent: 30, 60, 90 and 120. */
export function readBounds(text: string | undefined): readonly number[] {
  if (text === undefined) return DEFAULT_BOUNDS;
  const bounds = text.split(',').map((part) => (/^\d{1,4}$/.test(part.trim()) ? Number(part) : Number.NaN));
  const rises = bounds.every((bound, index) => bound > (bounds[index - 1] ?? 0) && bound <= LONGEST_DAYS);
  if (!rises || bounds.length > MOST_BOUNDS)
    throw new Refusal('parameter_invalid', `Buckets must be rising numbers of days, such as 30,60,90`, 'buckets');
  return bounds;
}

/** The buckets in order: they are disjoint, and each age is in one of them. By the date of the document there is none that is not due. */
export function bucketsOf(bounds: readonly number[], by: AgedBy): Bucket[] {
  const first: Bucket[] = by === 'due_date' ? [{ id: 'not_due', title: 'Not due', from: null, to: 0 }] : [];
  const inner = bounds.map((to, index): Bucket => {
    const before = bounds[index - 1];
    const start = before === undefined ? (by === 'due_date' ? 1 : 0) : before + 1;
    const from = before === undefined && by === 'date' ? null : start;
    return { id: `days_${start}_${to}`, title: `${start}-${to} days`, from, to };
  });
  const last = bounds.at(-1) ?? 0;
  return [...first, ...inner, { id: `over_${last}`, title: `Over ${last} days`, from: last + 1, to: null }];
}
