import { afterEach, expect, jest, test } from '@jest/globals';
import { planRun } from '../plan.ts';
import { addReport, close, setFlaky, type Tally } from '../tally.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** The lines that a run prints at its end, when it has taken this many seconds. */
function lastLines(seconds: number, budget: number | null): string[] {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  expect(close({ passed: 1, failures: [], flaky: [], times: [] }, performance.now() - seconds * 1000, budget)).toBe(0);
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

test('a file that failed once and passed alone is listed with its seeds, and fails no run', () => {
  const report = {
    path: 'test/a.test.ts',
    milliseconds: 1,
    passed: 3,
    failed: ['one'],
    skipped: [],
    crashed: false,
    seeds: ['16'],
  };
  const tally: Tally = { passed: 0, failures: [], flaky: [], times: [] };
  addReport(report, false, tally);
  expect(tally.failures).toEqual(['test/a.test.ts: one']);
  setFlaky(report, tally);
  expect([tally.passed, tally.failures]).toEqual([3, []]);
  expect(tally.flaky).toEqual(['test/a.test.ts: one, seed 16. Repeat it: npm test -- test/a.test.ts --repeat 10']);
});
