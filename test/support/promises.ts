import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../suites.ts';

/** A row of a table in the docs, by column header. */
export type PromiseRow = Readonly<Record<string, string>>;

/** All rows of all tables of a page in docs/. Throws on a malformed row. */
export function promisesOf(page: string): PromiseRow[] {
  return rowsOfTables(readFileSync(join(projectFolder, 'docs', page), 'utf8'));
}

/** All rows of all tables in a text. Throws on a malformed row. */
export function rowsOfTables(text: string): PromiseRow[] {
  const rows: PromiseRow[] = [];
  let heads: string[] | null = null;
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) {
      heads = null;
      continue;
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (heads === null) heads = cells;
    else if (cells.some((cell) => cell !== '---')) {
      if (cells.length !== heads.length) throw new Error(`a row with the wrong number of cells: ${line}`);
      rows.push(Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ''])));
    }
  }
  return rows;
}

/** The cell of a column. Throws when it is empty. */
export function cell(row: PromiseRow, head: string): string {
  const value = row[head];
  if (!value) throw new Error(`no ${head} in ${JSON.stringify(row)}`);
  return value;
}
