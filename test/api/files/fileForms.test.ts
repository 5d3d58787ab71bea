import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const pieces = [
  '--x\r\n',
  '--x--\r\n',
  '--x',
  '\r\n',
  '\r\n\r\n',
  '--',
  'x',
  ';',
  '"',
  '%22',
  '\0',
  '\u00ff',
  'é',
  ' ',
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n',
  'Content-Disposition: form-data; name="file"\r\n',
  'Content-Disposition: form-data; name="other"; filename=""\r\n',
  "Content-Disposition: form-data; name=file; filename*=UTF-8''%E2%82%AC%ZZ.txt\r\n",
  'Content-Disposition: attachment\r\n',
  'Content-Type: text/plain\r\n',
  'Content-Type: multipart/mixed; boundary=y\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  'content',
];
const types = [
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="x"',
  'multipart/form-data; boundary=',
  'multipart/form-data',
];

test('any form is stored as a file or refused, and leaves nothing behind', async () => {
  const body = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 20 })), { maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(...types), async (parts, type) => {
      const { status, body: said } = await api.sandbox.post('/files', parts.join(''), { 'Content-Type': type });
      expect([201, 400]).toContain(status);
      if (status === 400) expect(said).toMatchObject({ object: 'error', type: 'invalid_request' });
    }),
    { numRuns: 400, seed: 7 },
  );
  expect(api.faults).toEqual([]);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith(`perennial-upload-${process.pid}-`))).toEqual([]);
  const [row] = await api.em.fork().execute('select count(*)::int as strays from stray_bytes');
  expect(row).toEqual({ strays: 0 });
});
