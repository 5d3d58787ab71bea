import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { sourceFiles } from '../support/sources.ts';

/** Expressions that read the system's clock, in JavaScript and in SQL. */
const clocks = [
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bnow\(\)(?!\s*:)/,
  /\bcurrent_(timestamp|date|time)\b/i,
  /\b(clock|statement|transaction)_timestamp\b/i,
  /\blocaltime(stamp)?\b/i,
];
/** Leases end by the clock of the database: relays and pumps in several processes compare them, and the time of the product may stand still. */
const leaseEnd = /\b(leased|held)_until <?= now\(\)|now\(\) \+ \? \* interval '1 ms'/g;
/** No time of the product ends a month of the audit log within its two years. */
const kept = /date_trunc\('month', now\(\)\) - interval/g;
const rooms = ['api/', 'billing/', 'commands/', 'db/', 'present/', 'workers/'];

function readsClock(source: string): boolean {
  // `performance.now()` only measures durations. `systemNow()` is passed in.
  const code = source
    .replace(/performance\.now\(\)/g, '')
    .replace(leaseEnd, '')
    .replace(kept, '')
    .replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return clocks.some((clock) => clock.test(code));
}

test('billing code does not read a clock: time is a parameter', () => {
  // Scripts of pages run in browsers, and have only the clock of their reader.
  const isOfBrowsers = (file: string) => file.startsWith('api/pages/') && file.endsWith('.js');
  const files = sourceFiles().filter((file) => rooms.some((room) => file.startsWith(room)) && !isOfBrowsers(file));
  const reading = files.filter((file) => readsClock(readFileSync(join(projectFolder, file), 'utf8')));
  expect(reading).toEqual([]);
});

test('each way of reading a clock is detected', () => {
  const planted = [
    'const a = Date.now();',
    'new Date()',
    '`select now()`',
    'default current_timestamp',
    'clock_timestamp()',
    'due_at <= now()',
  ];
  expect(planted.filter(readsClock)).toEqual(planted);
  expect(
    ['deps.systemNow()', 'new Date(at)', 'performance.now() - started', '// not now()'].filter(readsClock),
  ).toEqual([]);
});
