import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectFolder } from '../../suites.ts';
import { type Instance, newInstance } from '../instance.ts';

const run = promisify(execFile);
const MINUTE = 60_000;

let instance: Instance;

beforeAll(async () => {
  instance = await newInstance();
  await instance.run(['start'], 'bootstrap.cjs').isUp();
  expect(await instance.run(['demo'], 'bootstrap.cjs').exitCode).toBe(0);
});
afterAll(() => instance?.remove());

/** The commands of a section of the README, with the data folder of the instance. */
function commandsOf(section: string): string {
  const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
  const [, text = ''] = readme.split(`\n## ${section}\n`);
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(text) ?? [];
  return commands.replaceAll('./.data/', `${instance.dataFolder}/`).replaceAll(' .data/', ` ${instance.dataFolder}/`);
}

test("the README's drill backs up the demo's data, restores them and records a lost charge, in under five minutes", async () => {
  const [tour, drill] = [commandsOf('Tour'), commandsOf('Drill')];
  expect(drill.split('\n').filter((line) => line.startsWith('perennial '))).toHaveLength(7);
  const began = performance.now();
  const isPaid = `call GET "/invoices?filter[subscription]=$SUBSCRIPTION" | grep -Eq '"paid": ?true'`;
  const script = `set -u\n${tour}\nuntil ${isPaid}; do sleep 1; done\necho DRILL\n${drill}`;
  const { stdout } = await run('bash', ['-c', script], { cwd: projectFolder, env: instance.env });
  expect(performance.now() - began).toBeLessThan(5 * MINUTE);
  const [, said = ''] = stdout.split('DRILL\n');
  const lines = said.split('\n').filter((line) => /^(Backup of|Restored|account|\d+ |The database|Books)/.test(line));
  const lost = /^account \d+, customer \d+: charge tgo_\w+ of 25\.00 usd at test, succeeded, \S+: /.source;
  expect(lines).toEqual([
    expect.stringMatching(/^Backup of .*: \d+ rows, \d+ files/),
    expect.stringMatching(/^Restored the backup of /),
    expect.stringMatching(new RegExp(`${lost}lost$`)),
    '1 lost. Record them with --apply',
    expect.stringMatching(new RegExp(`${lost}recorded$`)),
    '1 recorded, 0 not',
    expect.stringMatching(/^The database has lost nothing/),
    expect.stringMatching(/^Books are clean: /),
    expect.stringMatching(/^Books and gateways agree from /),
  ]);
});
