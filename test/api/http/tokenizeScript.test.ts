import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pageScripts, tokenize } from '../../../api/pages/tokenize/script.ts';

import { fieldWords } from '../../../words/fields.ts';
import { send, startApi, type TestApi } from '../../support/api.ts';
import { rawRequest } from '../../support/rawRequest.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const get = (path: string) =>
  send(`${api.origin}${path}`, { method: 'GET', headers: { Origin: 'https://shop.example' } });

test('the script is served to pages of any origin, small, cached, with its type, and never as a page', async () => {
  const { status, headers, body } = await get('/js/tokenize.js');
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=300',
  });
  expect(Buffer.byteLength(body)).toBeLessThan(24_000);
  expect(gzipSync(body).length).toBeLessThan(9_000);
  expect(body).toContain('window.Perennial');
  expect(() => new Function(body)).not.toThrow();
  const known = { 'If-None-Match': headers.get('ETag') ?? '' }; // `fetch` would add Cache-Control, which asks for it anew
  const again = await rawRequest(api.origin, { method: 'GET', path: '/js/tokenize.js', headers: known });
  expect(again.status).toBe(304);
});

test('its versioned address is kept for a year, and an address of another version for five minutes', async () => {
  const fixed = await get(tokenize.path);
  expect(fixed.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  const other = await get('/js/tokenize.0123456789ab.js');
  expect([other.status, other.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300']);
  for (const path of ['/js/tokenize.js/x', '/js/', '/js/other.js', '/js/tokenize.zz.js'])
    expect((await get(path)).status).toBe(404);
  expect((await send(`${api.origin}/js/tokenize.js`, { method: 'POST' })).status).not.toBe(200);
});

test('a page loads one script below 15 kB, whichever gateway takes its payments', async () => {
  for (const { path, body } of Object.values(pageScripts)) {
    expect([path, (await get(path)).status, body.length < 15_000]).toEqual([path, 200, true]);
    expect(() => new Function(body.toString())).not.toThrow();
  }
});

test('the fields have words in every language of the documents', () => {
  expect(Object.keys(fieldWords).toSorted()).toEqual('ar de en es fr he ja zh'.split(' '));
});
