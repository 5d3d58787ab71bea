import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { failuresOf, reportOf } from '../siege/report.ts';
import { siege } from '../siege/siege.ts';
import { projectFolder } from '../suites.ts';

/** An hour of it is `npm run siege -- --minutes 60`. */
const MINUTES = 2;

test('attacks by one account end no process, and keep the p99 of another below three times what it is alone', async () => {
  const cacheFolder = join(projectFolder, '.data', 'cache');
  const findings = await siege({
    cacheFolder,
    minutes: MINUTES,
    seed: 1,
    lanes: 5,
    only: [],
    progress: () => undefined,
  });
  const failures = failuresOf(findings);
  if (failures.length > 0) throw new Error(reportOf(findings));
  expect(Object.keys(findings.tally).length).toBeGreaterThan(15);
});
