import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { damageOf, reportOf } from '../siege/report.ts';
import { siege } from '../siege/siege.ts';
import { projectFolder } from '../suites.ts';

/** `npm run siege` runs longer and also compares the latency of the other account. */
const MINUTES = 2;

test('attacks by one account end no process, cause no problem of another account and no drift in the books', async () => {
  const cacheFolder = join(projectFolder, '.data', 'cache');
  const findings = await siege({
    cacheFolder,
    minutes: MINUTES,
    seed: 1,
    lanes: 5,
    only: [],
    progress: () => undefined,
  });
  if (damageOf(findings).length > 0) throw new Error(reportOf(findings));
  expect(Object.keys(findings.tally).length).toBeGreaterThan(15);
});
