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
  const questions = [
    'pastDueAt', // when an unpaid invoice is past due
    'startCharge', // which gateway takes a charge
    'invoicesAfterFailure', // what a declined card does to a subscription
    'taxesOf', // which rates a line is taxed with
    'postAndApplyCreditNote', // how a credit note's rest reaches the credit balance
    'deleteClockRows', // what is deleted with a test clock
    'recordFailed', // where a webhook's next attempt is planned
    'permission', // who may call `PATCH /account`
    'receiptEmail', // what a renewal's mail says
    'reportProblem', // why a process is stuck
  ];
  expect(rows.map(([, , name]) => name)).toEqual(expect.arrayContaining(questions));
});

test.each(rows)('%s %s exports %s', (_question, file, name) => {
  expect(read(file)).toMatch(new RegExp(`^export (async )?(function|const) ${name}\\b`, 'm'));
});
