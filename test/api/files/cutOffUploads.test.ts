import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, startApi, type TestApi } from '../../support/api.ts';
import { slowSender } from '../../support/slowSender.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const temporary = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`perennial-upload-${process.pid}-`));

test('an upload whose client disconnects leaves no temporary file and no error of the server', async () => {
  const before = (await temporary()).length;
  const boundary = 'cut';
  const sender = slowSender(api.origin, {
    path: '/sandbox/api/files',
    headers: { ...basic(api.sandbox.key), 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    length: 1_000_000,
  });
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`;
  sender.send(`${head}${'x'.repeat(100_000)}`);
  await until(async () => (await temporary()).length === before + 1, { what: 'the temporary file' });
  sender.end();
  await until(async () => (await temporary()).length === before, { what: 'the end of the temporary file' });
  expect((await api.sandbox.get('/files')).body).toEqual([]);
  expect(api.faults).toEqual([]);
});
