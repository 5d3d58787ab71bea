import { afterEach, expect, jest, test } from '@jest/globals';
import { planRun } from '../plan.ts';
import { close } from '../tally.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** The lines that a run prints at its end, when it has taken this many seconds. */
function lastLines(seconds: number, budget: number | null): string[] {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  expect(close({ passed: 1, failures: [], times: [] }, performance.now() - seconds * 1000, budget)).toBe(0);
  jest.restoreAllMocks();
  return lines;
}

test('npm test has a budget of 8 minutes, and a run that takes longer says so', () => {
  const { budget } = planRun([]);
  expect(budget).toBe(8 * 60);
  expect(lastLines(479, budget).join('')).not.toContain('budget');
  expect(lastLines(481, budget)).toContainEqual(expect.stringContaining('over the budget of 480 s'));
});

test.each([['unit'], ['--long'], ['--workers', '1'], ['--within', '60'], ['-t', 'budget']])(
  'only npm test without arguments has a budget, not %s',
  (...args) => {
    expect(planRun(args).budget).toBeNull();
    expect(lastLines(481, null).join('')).not.toContain('budget');
  },
);
