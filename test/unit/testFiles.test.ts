import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { importsOf } from '../support/imports.ts';
import { sourceFiles } from '../support/sources.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

/** Tests and their support, without separate programs. */
const ofTests = sourceFiles().filter((file) => /^test\/(?!siege|fuzz|torture|jest|client)\w+\//.test(file));

test('the page of the support names each of its files, and no other', () => {
  const folder = join(projectFolder, 'test', 'support');
  const files = globSync('**/*.ts', { cwd: folder });
  const named = [...read('test/support/README.md').matchAll(/`((?:operationEvents\/)?\w+\.ts)`/g)].map(
    ([, name]) => name,
  );
  expect(files.length).toBeGreaterThan(50);
  expect([...new Set(named)].toSorted()).toEqual(files.toSorted());
});

/** Code in a source that duplicates `refused` or `client.make`. */
function twins(source: string): string[] {
  const refusals = /\{\s*status: (400|401|403|404|429),(\s*\/\/.*)?\s*body\b/g;
  const creations = /status (!== 201|> 20[14])\)\s*throw|\(await [\w.]+\.post\('\/\w+', [^;]*?\)\)\.body\.id/g;
  return [...source.matchAll(refusals), ...source.matchAll(creations)].map(([found]) => found);
}

test('a refusal is expected by refused, and an object is created by client.make', () => {
  const others = ofTests.filter((file) => !/support\/(api|product)\.ts$|unit\/testFiles/.test(file));
  expect(others.length).toBeGreaterThan(300);
  expect(others.flatMap((file) => twins(read(file)).map((found) => [file, found]))).toEqual([]);
  expect(twins(`expect(a).toMatchObject({ status: 400, body: { param } });`)).toHaveLength(1);
  expect(twins(`if (answer.status !== 201) throw new Error('no');`)).toHaveLength(1);
  expect(twins(`const id = (await api.sandbox.post('/customers', { name })).body.id;`)).toHaveLength(1);
});

/** Documented packages of Jest: for tests, for types of reporters and sequencers, and for environments. */
const documented = ['@jest/globals', '@jest/reporters', 'jest-environment-node'];

const ofJest = (names: string[]) => names.filter((name) => /^(@jest\/|jest-|expect\b)|^jest$/.test(name));

test('the suite stands on the public interface of Jest', () => {
  const files = sourceFiles().filter((file) => file.startsWith('test/'));
  const imported = files.flatMap((file) => importsOf(read(file)).flatMap(({ specifier }) => specifier ?? []));
  expect([...new Set(ofJest(imported))].toSorted()).toEqual(documented);
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  expect(ofJest(Object.keys({ ...dependencies, ...devDependencies })).toSorted()).toEqual(
    [...documented, 'jest'].toSorted(),
  );
});

test('every payment gateway runs the tests that every gateway passes', () => {
  const gateways = readdirSync(join(projectFolder, 'adapters/gateways'), { withFileTypes: true });
  const names = gateways.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(names).toContain('test');
  for (const name of names)
    expect(read(`test/adapters/${name}GatewayContract.test.ts`)).toMatch(/^gatewayContract\(start\);$/m);
});
