import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nearest } from '../../api/body/nearest.ts';
import { projectFolder } from '../suites.ts';
import { importsOf } from '../support/imports.ts';

const sourceOf = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

test.each([
  ['api/body/nearest.ts', 'fastest-levenshtein'],
  ['adapters/files/signature.ts', 'aws4'],
])('%s stands on %s', (file, library) => {
  expect(importsOf(sourceOf(file)).map(({ specifier }) => specifier)).toContain(library);
  const { dependencies } = JSON.parse(sourceOf('package.json'));
  expect(dependencies[library]).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each([
  ['api/pages/reference/page.ts', 'Scalar'],
  ['api/pages/kit/policy.ts', 'helmet'],
  ['api/middleware/cors.ts', '@koa/cors'],
])('the first line of %s says why it does without %s', (file, library) => {
  const [first = ''] = sourceOf(file).split('\n');
  expect(first).toMatch(/^\/\/ Own code: .{40,}\.$/);
  expect(first).toContain(library);
});

test.each([
  ['custmer', 'customer'],
  ['CUSTOMR', 'customer'],
  ['pay', 'payment_terms'],
  ['itmes', 'items'],
  ['x'.repeat(65), null],
])('the name closest to %s is %s', (name, meant) => {
  expect(nearest(name, ['currency', 'customer', 'items', 'notes', 'payment_terms'])).toBe(meant);
});
