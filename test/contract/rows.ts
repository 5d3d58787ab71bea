import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One promise of the product. `id`: subject, kind and name, separated by dots. `source`: the document that promises it. `test`: the test that
 * fails when the promise is broken, as `<file> > <title>`, or `open`.
 */
export interface Row {
  id: string;
  source: string;
  says: string;
  test: string;
}

export const kinds = ['endpoint', 'param', 'field', 'state', 'transition', 'event', 'error', 'limit', 'rule'];

const open = 'open';
const columns = ['id', 'source', 'says', 'test'];

/** The text of contract.json. */
export function contractText(): string {
  return readFileSync(join(import.meta.dirname, 'contract.json'), 'utf8');
}

/** The rows of contract.json, unchecked. */
export function parseRows(text: string): Row[] {
  return JSON.parse(text);
}

/** The faults of the rows, one line each. `tests` are all existing tests. */
export function faultsOf(rows: readonly Row[], tests: ReadonlySet<string>): string[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const isRepeated = seen.has(row.id);
    seen.add(row.id);
    return [...shapeFaults(row), ...(isRepeated ? ['is there twice'] : []), ...testFaults(row, tests)].map(
      (fault) => `${row.id}: ${fault}`,
    );
  });
}

function shapeFaults(row: Row): string[] {
  const faults = columns
    .filter((name) => typeof Reflect.get(row, name) !== 'string' || Reflect.get(row, name) === '')
    .map((name) => `has no ${name}`);
  if (Object.keys(row).join() !== columns.join()) faults.push(`has other columns than ${columns.join(', ')}`);
  if (!kinds.includes(row.id?.split('.')[1] ?? '')) faults.push(`is of no kind: ${kinds.join(', ')}`);
  return faults;
}

function testFaults({ test }: Row, tests: ReadonlySet<string>): string[] {
  return test === open || !test || tests.has(test) ? [] : [`there is no test "${test}"`];
}

/** A summary: "contract: 3 of 5 rows proven, 2 open: invoice 1, plan 1". */
export function summaryOf(rows: readonly Row[]): string {
  const openRows = rows.filter(({ test }) => test === open);
  const bySubject = [...Map.groupBy(openRows, ({ id }) => id.split('.')[0] ?? '')];
  const counts = bySubject.map(([subject, of]) => ({ subject, count: of.length }));
  const list = counts.sort((a, b) => b.count - a.count).map(({ subject, count }) => `${subject} ${count}`);
  const proven = rows.length - openRows.length;
  return `contract: ${proven} of ${rows.length} rows proven, ${openRows.length} open${list.length > 0 ? `: ${list.join(', ')}` : ''}`;
}

/** The names for which no row of any subject has this kind and name. */
export function missingRows(rows: readonly Row[], kind: string, names: readonly string[]): string[] {
  const known = new Set(
    rows.flatMap(({ id }) => (id.split('.')[1] === kind ? [comparable(id.split('.').slice(2).join('.'))] : [])),
  );
  return names.filter((name) => !known.has(comparable(name)));
}

/** A name without the names of path parameters: `/customers/:customer_id` equals `/customers/:id`. */
function comparable(name: string): string {
  return name.replaceAll(/:\w+/g, ':');
}
