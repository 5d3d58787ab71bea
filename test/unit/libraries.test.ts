import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nearest } from '../../billing/money/nearest.ts';
import { projectFolder } from '../suites.ts';
import { importsOf } from '../support/imports.ts';

const sourceOf = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

test.each<[string, string, { library: string } | { without: string }]>([
  ['edit distance', 'billing/money/nearest.ts', { library: 'fastest-levenshtein' }],
  ['signature of S3 requests', 'adapters/files/signature.ts', { library: 'aws4' }],
  ['reference page', 'api/pages/reference/page.ts', { without: 'Scalar' }],
  ['policies', 'api/pages/kit/policy.ts', { without: 'helmet' }],
  ['CORS headers', 'api/middleware/browsers.ts', { without: '@koa/cors' }],
])('%s: a library is used, or the first line of %s says why not', (_what, file, how) => {
  const source = sourceOf(file);
  const [first = ''] = source.split('\n');
  if ('library' in how) {
    expect(importsOf(source).map(({ specifier }) => specifier)).toContain(how.library);
    expect(JSON.parse(sourceOf('package.json')).dependencies[how.library]).toMatch(/^\d+\.\d+\.\d+$/);
  } else {
    expect(first).toMatch(/^\/\/ Own code: .{40,}\.$/);
    expect(first).toContain(how.without);
  }
});

test.each([
  ['custmer', 'customer'],
  ['CUSTOMR', 'customer'],
  ['pay', 'payment_terms'],
  ['itmes', 'items'],
  ['x'.repeat(65), null],
])('the closest name to %s is %s', (name, meant) => {
  expect(nearest(name, ['currency', 'customer', 'items', 'notes', 'payment_terms'])).toBe(meant);
});
