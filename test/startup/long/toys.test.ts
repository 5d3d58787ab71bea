import { type ExecFileOptions, execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { addToy, copyProject, filesOfSteps, processToy, resourceToy } from '../../toys/toys.ts';

/** Limit of hand-edited files outside tests, for a new resource and for a new process. */
const MOST_FILES = 7;

let copy: string;
let database: TestDatabase;
let written: Record<'resource' | 'process', string[]>;
/** The errors of the compiler. Empty: there are none. */
let types: Promise<string>;

beforeAll(async () => {
  [copy, database] = await Promise.all([scratchFolder('toys'), createTestDatabase()]);
  copyProject(copy);
  written = { resource: addToy(copy, resourceToy), process: addToy(copy, processToy) };
  await node(['db/migrations/generate.ts', '9999_toys'], { DATABASE_URL: database.url });
  const files = [...written.resource, ...written.process, 'db/migrations/declared.ts'];
  writeFileSync(join(copy, 'tsconfig.toys.json'), JSON.stringify({ extends: './tsconfig.json', include: [], files }));
  types = node(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.toys.json']).then(
    () => '',
    (error) => `${error}\n${error.stdout}`,
  );
});

afterAll(async () => {
  await database.drop();
  await rm(copy, { recursive: true, force: true });
});

function node(args: string[], env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const options: ExecFileOptions = { cwd: copy, env: { ...process.env, PERENNIAL_DATA: join(copy, '.data'), ...env } };
  return promisify(execFile)(process.execPath, args, options);
}

test.each([
  ['resource', resourceToy],
  ['process', processToy],
] as const)('a new %s takes the files that CONTRIBUTING.md names, at most seven', (kind, toy) => {
  expect(written[kind]).toEqual(filesOfSteps(toy));
  expect(written[kind].length).toBeLessThanOrEqual(MOST_FILES);
});

test('a project with a new resource and a new process compiles', async () => {
  expect(await types).toBe('');
});

test('the new resource and the new process work, including events, timelines, merging, clocks, problems and metrics', async () => {
  const template = new URL(database.url).pathname.slice(1);
  const proof = join(copy, 'proof.json');
  await node(['test/toys/proof.ts', proof], { DATABASE_URL: database.url, PERENNIAL_TEST_TEMPLATE: template });
  const ended = ['task', true, 'ended'];
  expect(JSON.parse(readFileSync(proof, 'utf8'))).toEqual({
    resource: {
      listed: [[true, 'Kept']],
      left: 1,
      events: ['badge.deleted', 'badge.created'],
      endpoint: ['badge.created'],
      timeline: ['badge created'], // for the remaining badge
    },
    process: { clock: ['ready', null], happened: [ended], waits: [], problems: [], counts: true },
    audit: [],
  });
});
