import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openStage } from '../../bench/stage.ts';
import { type FuzzResult, fuzz, PARTS } from '../fuzz/fuzz.ts';
import { seedSandbox } from '../fuzz/seed.ts';
import { accessToken } from '../fuzz/token.ts';
import { projectFolder } from '../suites.ts';
import { fromRun } from '../support/environment.ts';

/** A fault of CPython 3.11 in the tool itself, now and then: the run says nothing of the product and is made again. */
const FAULT_OF_PYTHON = 'AST constructor recursion depth mismatch';
const SECONDS = 300;

test('five minutes of generated requests meet no server error and nothing that the document does not have', async () => {
  const first = await fuzzAnew(1, SECONDS);
  const result = first.output.includes(FAULT_OF_PYTHON) ? await fuzzAnew(2, SECONDS / 2) : first;
  if (result.exitCode !== 0) throw new Error(result.output);
  const casesOfParts = [...result.output.matchAll(/(\d+) generated, (\d+) passed/g)];
  expect(casesOfParts).toHaveLength(PARTS);
  for (const [, generated, passed] of casesOfParts) expect(passed).toBe(generated);
});

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
