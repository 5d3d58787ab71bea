import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../suites.ts';

/** A row of a table of a page, by the heads of its columns. */
export type PromiseRow = Readonly<Record<string, string>>;

/** Every row of every table of a page of the docs. A line that looks like one and is none would be left out: that is a fault of the page. */
export function promisesOf(page: string): PromiseRow[] {
  const rows: PromiseRow[] = [];
  let heads: string[] | null = null;
  for (const line of readFileSync(join(projectFolder, 'docs', page), 'utf8').split('\n')) {
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
      if (cells.length !== heads.length) throw new Error(`not a row of its table: ${line}`);
      rows.push(Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ''])));
    }
  }
  return rows;
}

/** A cell that must not be empty. */
export function cell(row: PromiseRow, head: string): string {
  const value = row[head];
  if (!value) throw new Error(`there is no ${head} in ${JSON.stringify(row)}`);
  return value;
}
