import type { Row } from '../kinds/kind.ts';
import type { Formats } from '../written.ts';

/** One row of a field that is a list: its texts as they were typed, by their names. */
export type Cells = Readonly<Record<string, string>>;

/** The value of a field that is a list. */
export interface Rows {
  rows: readonly Cells[];
}

/** What the control of such a field gets. */
export interface RowsShown {
  label: string;
  value: Rows;
  change(value: Rows): void;
  /** What the API refuses, and why: `steps[3][schedule]`. The control shows it. */
  param: string | null;
  error: string | null;
}

/** The controls that enter lists. */
export type RowsControl = 'steps' | 'invoiceSteps' | 'conditions' | 'runDays';

/** How a list of rows is read from an object, entered, told and sent. */
export interface RowsField {
  of(row: Row | null): Rows;
  sent(value: Rows, formats: Formats): unknown;
  tell(value: Rows): string[];
  control: RowsControl;
}

/** The row and the field of it that an error of the API names: `steps[3][schedule]`. */
export function rowAt(param: string | null): { place: number; field: string } | null {
  const [, place, field = ''] = /^\w+\[(\d+)\](?:\[(\w+)\])?/.exec(param ?? '') ?? [];
  return place === undefined ? null : { place: Number(place), field };
}

/** Moves a row by some places, as far as there are places. */
export function movedRow(rows: readonly Cells[], place: number, by: number): readonly Cells[] {
  const target = Math.min(rows.length - 1, Math.max(0, place + by));
  const row = rows[place];
  if (!row || target === place) return rows;
  return rows.toSpliced(place, 1).toSpliced(target, 0, row);
}
