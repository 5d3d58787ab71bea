import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openStage } from '../../bench/stage.ts';
import { type FuzzResult, fuzz, PARTS } from '../fuzz/fuzz.ts';
import { seedSandbox } from '../fuzz/seed.ts';
import { accessToken } from '../fuzz/token.ts';
import { projectFolder } from '../suites.ts';
import { fromRun } from '../support/environment.ts';

/** An error inside the tool ends a run now and then: it says nothing of the product, and a shorter run is made. */
const FAULT_OF_TOOL = 'Runtime Error';
/** The heading of what a run found. */
const FINDINGS = '= FAILURES =';
const SECONDS_OF_TRIES = [300, 60, 60];

test('five minutes of generated requests meet no server error and nothing that the document does not have', async () => {
  let result = { exitCode: 1, output: FAULT_OF_TOOL };
  for (const [tries, seconds] of SECONDS_OF_TRIES.entries()) {
    if (isOfTool(result)) result = await fuzzAnew(tries + 1, seconds);
  }
  if (result.exitCode !== 0) throw new Error(result.output);
  const casesOfParts = [...result.output.matchAll(/(\d+) generated, (\d+) passed/g)];
  expect(casesOfParts).toHaveLength(PARTS);
  for (const [, generated, passed] of casesOfParts) expect(passed).toBe(generated);
});

function isOfTool({ exitCode, output }: FuzzResult): boolean {
  return exitCode !== 0 && output.includes(FAULT_OF_TOOL) && !output.includes(FINDINGS);
}

/** A run deletes the key that it uses in the end, so each has a product of its own. */
async function fuzzAnew(seed: number, seconds: number): Promise<FuzzResult> {
  const stage = await openStage({ cacheFolder: join(projectFolder, '.data', 'cache'), progress: () => undefined });
  try {
    const target = { baseUrl: `${stage.origin}/sandbox/api`, key: stage.sandboxKey };
    await seedSandbox(target);
    const schemathesis = fromRun('SCHEMATHESIS');
    const token = await accessToken(stage);
    return await fuzz({ ...target, schemathesis, token, seconds, seed, refusals: false });
  } finally {
    await stage.stop();
  }
}
