import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openStage } from '../../bench/stage.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { seedSandbox } from '../fuzz/seed.ts';
import { accessToken } from '../fuzz/token.ts';
import { projectFolder } from '../suites.ts';
import { fromRun } from '../support/environment.ts';

const SECONDS = 300;

test('five minutes of generated requests meet no server error and nothing that the document does not have', async () => {
  const stage = await openStage({ cacheFolder: join(projectFolder, '.data', 'cache'), progress: () => undefined });
  try {
    const target = { baseUrl: `${stage.origin}/sandbox/api`, key: stage.sandboxKey };
    await seedSandbox(target);
    const result = await fuzz({
      schemathesis: fromRun('SCHEMATHESIS'),
      ...target,
      token: await accessToken(stage),
      seconds: SECONDS,
      seed: 1,
      refusals: false,
    });
    if (result.exitCode !== 0) throw new Error(result.output);
    expect(result.output).toContain('No issues found');
  } finally {
    await stage.stop();
  }
});
