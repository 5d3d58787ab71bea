import { roundMoney } from '../../billing/money/money.ts';
import {
  type Asked,
  type Cell,
  type CellType,
  type Column,
  isOfDay,
  type Report,
  type ReportName,
} from '../../billing/reports/report.ts';
import { csvLine, number, type Presented, unix } from '../kernel/values.ts';

type Cells = Readonly<Record<string, Cell>>;

/** A report as JSON, with what was asked and what its numbers mean. */
export function presentReport(
  about: { name: ReportName; title: string; definition: string },
  { days, zone, knownAt }: Asked,
  { columns, rows, totals, lastEvent }: Report,
): Presented {
  const { name, title, definition } = about;
  const summed = columns.filter(({ id, type }) => type === 'money' || id === 'currency');
  return {
    name,
    title,
    definition,
    start: isOfDay(name) ? null : days.firstDay,
    end: days.lastDay,
    zone,
    known_at: unix(knownAt),
    last_event: lastEvent,
    columns: columns.map(({ id, title, type }) => ({ id, title, type })),
    rows: rows.map(({ cells, hrefs }) => ({ ...presentCells(columns, cells), hrefs })),
    totals: totals.map((cells) => presentCells(summed, cells)),
  };
}

/** A report as lines of CSV. Money is a number, so that a negative amount is not taken for a formula. */
export async function* reportAsCsv({ columns, rows }: Report): AsyncGenerator<string, void> {
  yield csvLine(columns.map(({ id }) => id));
  for (const { cells } of rows) yield csvLine(columns.map(({ id, type }) => shown(type, cells, id)));
}

/** The cells of a row or of totals as JSON. Money has the digits of its currency. */
function presentCells(columns: readonly Column[], cells: Cells): Presented {
  return Object.fromEntries(columns.map(({ id, type }) => [id, shown(type, cells, id)]));
}

function shown(type: CellType, cells: Cells, id: string): Cell {
  const value = cells[id] ?? null;
  if (value === null) return null;
  if (type === 'number') return number(String(value));
  return type === 'money' ? number(roundMoney(String(value), String(cells.currency))) : value;
}
