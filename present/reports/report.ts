import { roundMoney } from '../../billing/money/money.ts';
import type { Cell, CellType, Column } from '../../billing/reports/report.ts';
import { csvLine } from '../kernel/csv.ts';
import { number, type Presented } from '../kernel/values.ts';

type Cells = Readonly<Record<string, Cell>>;

/** The cells of a row or of totals as JSON. Money has the digits of its currency. */
export function presentCells(columns: readonly Column[], cells: Cells): Presented {
  return Object.fromEntries(columns.map(({ id, type }) => [id, shown(type, cells, id)]));
}

function shown(type: CellType, cells: Cells, id: string): Cell {
  const value = cells[id] ?? null;
  if (value === null) return null;
  if (type === 'number') return number(String(value));
  return type === 'money' ? number(roundMoney(String(value), String(cells.currency))) : value;
}

export const reportHeading = (columns: readonly Column[]): string => csvLine(columns.map(({ id }) => id));

/** A row as a line of CSV. Money is a number, so that a negative amount is not taken for a formula. */
export function rowAsCsv(columns: readonly Column[], cells: Cells): string {
  return csvLine(columns.map(({ id, type }) => shown(type, cells, id)));
}
