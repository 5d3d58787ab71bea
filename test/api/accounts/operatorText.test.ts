import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hiddenIn } from '../../../billing/look/visibleText.ts';
import { printExplanation } from '../../../bin/explain.ts';
import { printProblems } from '../../../bin/problems.ts';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { printedLines } from '../../support/printedLines.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('terminal output for operators has no control characters of a tenant', async () => {
  const { sandbox } = api;
  const name = 'Evil\u001b[2J\u202e\u200b\r\nBooks are clean';
  await sandbox.patch('/account', { name });
  const { id } = await sandbox.make('/customers', { name, number: 'Evil-1' });
  const accountId = sandbox.account.id;
  const problem = { accountId, process: 'invoice' as const, id, step: 'bill', message: name };
  await inTransaction(api.em, (em) => reportProblem(em, problem, new Date()));
  const lines = await printedLines(async () => {
    expect(await printExplanation(() => api.databaseUrl, ['customer', 'evil-1', '--account', `${accountId}`])).toBe(0);
    expect(await printProblems(api.databaseUrl)).toBe(0);
  });
  expect(lines.filter((line) => line.includes('Evil[2J')).length).toBeGreaterThan(2);
  expect(lines.flatMap((line) => hiddenIn(line) ?? [])).toEqual([]);
  expect(lines).not.toContainEqual(expect.stringMatching(/^Books are clean/));
});
