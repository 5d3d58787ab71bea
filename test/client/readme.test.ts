import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { newWebhookSecret, signWebhook } from '../../adapters/signature.ts';
import { projectFolder } from '../suites.ts';
import { startApi } from '../support/api.ts';

const run = promisify(execFile);
const inProject = (...path: string[]) => join(projectFolder, ...path);

/** Runs the compiler. Returns its output, which has the errors. */
async function compile(...words: string[]): Promise<string> {
  const compiler = inProject('node_modules', 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, ...words]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

/** All examples in order, as one module. */
function examples(): string {
  const blocks = readFileSync(inProject('client', 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  return [...blocks].map(([, code]) => code).join('\n');
}

test('the examples of the README compile and run with the built package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-readme-'));
  const installed = join(folder, 'node_modules', 'perennial-client');
  expect(await compile('-p', inProject('client'), '--outDir', join(installed, 'dist'))).toBe('');
  cpSync(inProject('client', 'package.json'), join(installed, 'package.json'));

  const secret = newWebhookSecret();
  const what = { id: 'msg_1', timestampSeconds: Math.floor(Date.now() / 1000), body: '{"type":"invoice.paid"}' };
  const { body } = what;
  const request = JSON.stringify({ method: 'POST', headers: signWebhook({ ...what, secrets: [secret] }), body });
  const received = `console.log((await receive(new Request('http://localhost/', ${request}))).status);`;
  writeFileSync(join(folder, 'readme.ts'), `${examples()}\n${received}\nconsole.log(typeof read.customer);\n`);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = { noEmit: true, typeRoots: [inProject('node_modules', '@types')] };
  const config = { extends: inProject('tsconfig.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(await compile('-p', folder)).toBe('');

  const api = await startApi();
  const env = { PERENNIAL_URL: api.sandbox.url, PERENNIAL_KEY: api.sandbox.key, WEBHOOK_SECRET: secret };
  const { stdout } = await run(process.execPath, [join(folder, 'readme.ts')], { env });
  expect(stdout.trim().split('\n')).toEqual([
    'INV-00001 80.5',
    'Ann',
    '1 of 1',
    '400 resource_missing customer Customer was not found: 999999',
    'invoice.paid',
    '204',
    'object',
  ]);
  await api.close();
  rmSync(folder, { recursive: true });
});
