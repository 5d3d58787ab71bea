import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newWebhookSecret, signWebhook } from '../../adapters/signature.ts';
import { projectFolder } from '../suites.ts';
import { startApi } from '../support/api.ts';
import { installGenerator } from './schema.ts';

const run = promisify(execFile);
const inProject = (...path: string[]) => join(projectFolder, ...path);

/** Compiles for the program, by the compiler that is installed in a folder. Returns its output, which has the errors. */
async function compile(within: string, ...words: string[]): Promise<string> {
  const compiler = join(within, 'node_modules', 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, ...words], { cwd: app }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

const readme = readFileSync(inProject('client', 'README.md'), 'utf8');
const examples = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code).join('\n');

let folder: string;
let app: string;
/** A program beside a clone, which installs the client as the README says. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-readme-'));
  app = join(folder, 'app');
  mkdirSync(app);
  symlinkSync(projectFolder, join(folder, 'perennial'));
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  await run('sh', ['-c', examples('sh')], { cwd: app });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the examples of the README compile and run with the installed package', async () => {
  const secret = newWebhookSecret();
  const what = { id: 'msg_1', timestampSeconds: Math.floor(Date.now() / 1000), body: '{"type":"invoice.paid"}' };
  const { body } = what;
  const request = JSON.stringify({ method: 'POST', headers: signWebhook({ ...what, secrets: [secret] }), body });
  const received = `console.log((await receive(new Request('http://localhost/', ${request}))).status);`;
  writeFileSync(join(app, 'readme.ts'), `${examples('ts')}\n${received}\nconsole.log(typeof read.customer);\n`);
  const compilerOptions = { noEmit: true, typeRoots: [inProject('node_modules', '@types')] };
  const config = { extends: inProject('tsconfig.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(config));
  expect(await compile(inProject(), '-p', app)).toBe('');

  const api = await startApi();
  const env = { PERENNIAL_URL: api.sandbox.url, PERENNIAL_KEY: api.sandbox.key, WEBHOOK_SECRET: secret };
  const { stdout } = await run(process.execPath, [join(app, 'readme.ts')], { env });
  expect(stdout.trim().split('\n')).toEqual([
    'INV-00001 80.5',
    'Ann',
    '1 of 1',
    'Invoice INV-00001.pdf true',
    '400 resource_missing customer Customer was not found: 999999',
    'invoice.paid',
    '204',
    'object',
  ]);
  await api.close();
});

test('programs of other kinds compile with TypeScript 5 and run, too', async () => {
  await installGenerator(); // it brings TypeScript 5, the last one that knows `node10`
  const old = inProject('client', 'generator');
  const program = `import { ApiError, createClient, verifyWebhook } from 'perennial-client';
    const client = createClient({ baseUrl: 'http://localhost/', apiKey: 'key' });
    export const idOf = async (name: string): Promise<number> => (await client.post('/customers', { name })).id;
    console.log(typeof ApiError, typeof client.get, typeof verifyWebhook);`;
  for (const [module, resolution, ending] of [
    ['commonjs', 'node10', 'cts'],
    ['node16', 'node16', 'cts'],
    ['node16', 'node16', 'mts'],
    ['esnext', 'bundler', 'mts'],
  ] as const) {
    const name = `${module}_${resolution}`;
    writeFileSync(join(app, `${name}.${ending}`), program);
    const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--noEmitOnError'];
    const built = ['--module', module, '--moduleResolution', resolution, join(app, `${name}.${ending}`)];
    expect([name, ending, await compile(old, ...options, ...built)]).toEqual([name, ending, '']);
    const { stdout } = await run(process.execPath, [join(app, `${name}.${ending.replace('ts', 'js')}`)]);
    expect(stdout).toBe('function function function\n');
  }
});
