import type { LockLevel } from '../db/migrations/changes.ts';
import { type Forecast, type ForecastChange, forecastMigrations, ROWS_PER_SECOND } from '../db/migrations/forecast.ts';
import { LOCK_SECONDS } from '../db/migrations/list.ts';
import { connect } from '../workers/connection.ts';

/** Exit code when a migration is pending. */
const PENDING = 2;

const waiting: Record<LockLevel, string> = {
  'ACCESS SHARE': 'blocks neither reads nor writes',
  'ROW SHARE': 'blocks neither reads nor writes',
  'ROW EXCLUSIVE': 'blocks only writes to the rows that it changes',
  'SHARE UPDATE EXCLUSIVE': 'blocks neither reads nor writes',
  SHARE: 'blocks writes',
  'SHARE ROW EXCLUSIVE': 'blocks writes',
  EXCLUSIVE: 'blocks writes',
  'ACCESS EXCLUSIVE': 'blocks reads and writes',
};

/** Prints what `migrate` would do. Changes nothing. Returns the exit code: 0 if no migration is pending, else 2. */
export async function printMigrationCheck(
  ownerUrl: string,
  print: (line: string) => void = console.log,
): Promise<number> {
  const owner = await connect(ownerUrl);
  try {
    await owner.query('set default_transaction_read_only = on');
    const { pending, unknown } = await forecastMigrations((sql) => owner.query(sql));
    if (unknown.length > 0) print(`A later version of Perennial has migrated this database: ${unknown.join(', ')}.`);
    if (pending.length === 0) {
      print('No migration is pending.');
      return 0;
    }
    print(`${count(pending.length, 'migration is', 'migrations are')} pending. Nothing has been changed.`);
    for (const forecast of pending) for (const line of describe(forecast)) print(line);
    for (const line of footnotes(pending)) print(line);
    return PENDING;
  } finally {
    await owner.close();
  }
}

function describe({ name, creates, unusedSince, changes }: Forecast): string[] {
  const kind = unusedSince === null ? 'expands the schema' : `contracts the schema; not used since ${unusedSince}`;
  return [
    '',
    `${name}: ${kind}`,
    ...(creates === '' ? [] : [`  creates ${creates}; locks no existing table`]),
    ...changes.map((change) => `  ${describeChange(change)}`),
  ];
}

function describeChange(change: ForecastChange): string {
  const { table, does, lock } = change;
  return `${table}: ${does}; ${describeWork(change)}; lock ${lock} ${waiting[lock]} for ${duration(change.lockedSeconds)}`;
}

function describeWork({ work, rows }: ForecastChange): string {
  const about = `about ${Math.round(rows).toLocaleString('en')} rows`;
  const works = {
    catalog: 'reads and writes no rows',
    scan: `reads ${about}`,
    index: `builds an index of ${about}`,
    update: `updates ${about}`,
    rewrite: `rewrites the table, ${about}`,
  };
  return works[work];
}

function duration(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  return seconds < 120 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`;
}

function footnotes(pending: readonly Forecast[]): string[] {
  const { scan, index, update, rewrite } = ROWS_PER_SECOND;
  const rate = (rows: number) => rows.toLocaleString('en');
  const slow = pending.some(({ changes }) => changes.some(({ work }) => work !== 'catalog'));
  return [
    '',
    'Each migration is one transaction, and holds its locks until it commits.',
    `It waits ${LOCK_SECONDS} s for a lock, then lets others pass and tries again.`,
    ...(slow
      ? [
          `Times assume ${rate(scan)} rows/s read, ${rate(index)} indexed, ${rate(update)} updated, ${rate(rewrite)} rewritten.`,
        ]
      : []),
  ];
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
