import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { projectFolder } from '../../suites.ts';
import { goProgram } from '../../support/goProgram.ts';

/** The alerts of deploy/prometheus, by Prometheus' own tool. */

const PROMETHEUS = 'github.com/prometheus/prometheus';
const PROMTOOL = { name: 'promtool', package: `${PROMETHEUS}/cmd/promtool`, module: PROMETHEUS, version: 'v0.304.2' };
const folder = join(projectFolder, 'deploy', 'prometheus');

let promtool: string;
beforeAll(async () => {
  promtool = await goProgram(PROMTOOL);
});

test.each([
  ['the rules are valid', ['check', 'rules', 'perennial.rules.yml']],
  ['each alert is quiet when all is well, and fires for its own signal', ['test', 'rules', 'perennial.rules.test.yml']],
])('%s', (_, args) => {
  const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: folder, encoding: 'utf8' });
  expect({ status, output: `${stdout}${stderr}` }).toMatchObject({
    status: 0,
    output: expect.stringContaining('SUCCESS'),
  });
});
