import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { FileStore } from '../../commands/ports/ports.ts';
import { armFailpoints } from '../../db/failpoint.ts';
import { refused, startApi, type TestApi } from '../support/api.ts';
import { sweepAt } from '../support/sweeps.ts';
import { upload } from '../support/upload.ts';

/**
 * Bytes are stored outside the database. After an interrupted upload or deletion, no bytes remain without a file, and no file is without
 * its bytes.
 */

const HOUR = 3_600_000;
let now = Date.UTC(2027, 2, 1);
let api: TestApi;
let broken = new Set<keyof FileStore>();
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  const { put, get, delete: remove } = api.deps.fileStore;
  const unless =
    <Rest extends unknown[], Result>(name: keyof FileStore, work: (...rest: Rest) => Promise<Result>) =>
    async (...rest: Rest) => {
      if (broken.has(name)) throw new Error('the store is away');
      return work(...rest);
    };
  Object.assign(api.deps.fileStore, { put: unless('put', put), get, delete: unless('delete', remove) });
});
afterEach(() => {
  armFailpoints('');
  broken = new Set();
});
afterAll(() => api.close());

const part = { name: 'file', filename: 'contract.pdf', content: 'bytes of a contract' };

async function kept() {
  const objects = await readdir(`${api.filesFolder}/${api.sandbox.account.id}`).catch(() => []);
  const count = (table: string) => api.em.fork().execute(`select count(*)::int as n from ${table}`);
  const [[strays], [files]] = await Promise.all([count('stray_bytes'), count('file')]);
  return { objects: objects.length, strays: strays?.n, files: files?.n };
}

function sweep(): Promise<number> {
  return sweepAt(api, now, { sweepProblemAge: Number.POSITIVE_INFINITY });
}

test("bytes left by a process that died before the file's row are removed an hour later, not before", async () => {
  armFailpoints('file.stored=throw');
  expect((await upload(api.sandbox, [part])).status).toBe(500);
  expect(await kept()).toEqual({ objects: 1, strays: 1, files: 0 });
  now += HOUR - 1;
  await sweep();
  expect(await kept()).toEqual({ objects: 1, strays: 1, files: 0 });
  now += 1;
  await sweep();
  expect(await kept()).toEqual({ objects: 0, strays: 0, files: 0 });
});

test('bytes that the sweep is removing cannot become a file', async () => {
  const { put } = api.deps.fileStore;
  api.deps.fileStore.put = async (...rest) => {
    await put(...rest);
    now += HOUR;
    await sweep();
  };
  const slow = await upload(api.sandbox, [part]);
  api.deps.fileStore.put = put;
  expect(slow).toMatchObject(refused({ message: 'The upload took too long; send it again', param: 'file' }));
  expect(await kept()).toEqual({ objects: 0, strays: 0, files: 0 });
});

test('an unavailable store makes no file and leaves nothing behind', async () => {
  broken.add('put');
  expect((await upload(api.sandbox, [part])).status).toBe(503);
  now += HOUR;
  await sweep();
  expect(await kept()).toEqual({ objects: 0, strays: 0, files: 0 });
});

test('a deletion succeeds even if its bytes stay, which are removed when the store is back', async () => {
  const { id } = (await upload(api.sandbox, [part])).body;
  broken.add('delete');
  expect((await api.sandbox.delete(`/files/${id}`)).status).toBe(204);
  expect(await kept()).toEqual({ objects: 1, strays: 1, files: 0 });
  await sweep();
  expect(await kept()).toEqual({ objects: 1, strays: 1, files: 0 });
  broken.clear();
  now += 600_000; // a failed removal is tried again after ten minutes
  await sweep();
  expect(await kept()).toEqual({ objects: 0, strays: 0, files: 0 });
});

test('incomplete bytes become no file', async () => {
  const bytes = { size: 10, sha256: '', type: 'text/plain', open: () => Readable.from([Buffer.from('short')]) };
  await expect(api.deps.fileStore.put(`1/${'a'.repeat(32)}`, bytes)).rejects.toThrow('5 bytes came in place of 10');
  expect(await api.deps.fileStore.get(`1/${'a'.repeat(32)}`)).toBeNull();
  await expect(api.deps.fileStore.get('../../etc/passwd')).rejects.toThrow('not a key');
});
