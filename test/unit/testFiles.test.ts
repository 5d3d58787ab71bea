import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { importsOf } from '../support/imports.ts';
import { sourceFiles } from '../support/sources.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

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
