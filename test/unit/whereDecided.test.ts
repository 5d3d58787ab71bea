import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** Rows of the table "Where is it decided?" that name a file. */
const rows = [...read('docs/architecture.md').matchAll(/^\| (.+\?) \| `(\S+\.ts)` \| `(\w+)` \|$/gm)].map(
  ([, question = '', file = '', name = '']): [string, string, string] => [question, file, name],
);

test('the table "Where is it decided?" answers the questions of a newcomer', () => {
  expect(rows.length).toBeGreaterThanOrEqual(17);
});

test.each(rows)('%s %s exports %s', (_question, file, name) => {
  expect(read(file)).toMatch(new RegExp(`^export (async )?(function|const) ${name}\\b`, 'm'));
});
