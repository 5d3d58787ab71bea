import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDiskStore } from '../../adapters/files/disk.ts';
import { createS3Store } from '../../adapters/files/s3.ts';
import { EMPTY_PAYLOAD, type S3Request, signed } from '../../adapters/files/signature.ts';
import { filesConfig } from '../../bin/filesConfig.ts';
import { variables } from '../../bin/variables.ts';
import type { FileStore, NewBytes } from '../../commands/ports/ports.ts';
import { accessKeyId, type Bucket, region, secretAccessKey, startBucket } from '../support/s3.ts';

const credentials = { accessKeyId, secretAccessKey, region };
let bucket: Bucket;
let folder: string;
let s3: ReturnType<typeof createS3Store>;
beforeAll(async () => {
  bucket = await startBucket('files');
  folder = await mkdtemp(join(tmpdir(), 'perennial-files-'));
  s3 = createS3Store({ ...credentials, endpoint: bucket.endpoint, bucket: 'files' });
});
afterAll(async () => {
  await s3.close();
  await bucket.close();
  await rm(folder, { recursive: true });
});

const newKey = () => `17/${randomBytes(24).toString('base64url')}`;

function bytesOf(content: Buffer, said: Partial<NewBytes> = {}): NewBytes {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const open = () => Readable.from(content.length > 0 ? [content] : [], { objectMode: false });
  return { size: content.length, sha256, type: 'application/pdf', open, ...said };
}

async function read(store: FileStore, key: string): Promise<Buffer | null> {
  const stream = await store.get(key);
  return stream && Buffer.concat(await stream.toArray());
}

describe.each<[string, () => FileStore]>([
  ['disk', () => createDiskStore(folder)],
  ['S3', () => s3],
])('%s', (_name, open) => {
  test.each([0, 1, 70_000, 3_000_000])('stores %d bytes twice, reads them and deletes them twice', async (size) => {
    const store = open();
    const key = newKey();
    const content = randomBytes(size);
    expect(await read(store, key)).toBeNull();
    await store.put(key, bytesOf(content));
    await store.put(key, bytesOf(content));
    expect((await read(store, key))?.equals(content)).toBe(true);
    await store.delete(key);
    await store.delete(key);
    expect(await read(store, key)).toBeNull();
  });

  test('does not keep incomplete bytes', async () => {
    const store = open();
    const key = newKey();
    await expect(store.put(key, bytesOf(Buffer.from('short'), { size: 10 }))).rejects.toThrow();
    expect(await read(store, key)).toBeNull();
  });

  test.each([
    '../17/aaaaaaaaaaaaaaaaaaaa',
    '17/../aaaaaaaaaaaaaaaaaaaa',
    '17/a b c d e f g h i j',
    '17',
    '/17/aaaaaaaaaaaaaaaaaaaa',
  ])('refuses the invalid key %j', async (key) => {
    await expect(async () => open().get(key)).rejects.toThrow('not a key of the file store');
    await expect(async () => open().put(key, bytesOf(Buffer.from('x')))).rejects.toThrow('not a key');
    await expect(async () => open().delete(key)).rejects.toThrow('not a key');
  });
});

test('a failed write to the disk leaves no file behind', async () => {
  const broken = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('the client is gone');
      })(),
    );
  await expect(createDiskStore(folder).put(newKey(), bytesOf(Buffer.from('whole'), { open: broken }))).rejects.toThrow(
    'gone',
  );
  expect(await readdir(join(folder, '17'))).toEqual([]);
});

const at = new Date('2013-05-24T00:00:00Z');
const payload = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'; // of "Welcome to Amazon S3."

// Examples from Amazon's "Authenticating Requests: Using the Authorization Header". Their bucket is a part of the host name.
test.each<[Omit<S3Request, 'url'>, string, string]>([
  [
    { method: 'GET', headers: { range: 'bytes=0-9' }, payload: EMPTY_PAYLOAD },
    'test.txt',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    {
      method: 'PUT',
      payload,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    'test$file.text',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
])('signing %j gives the published signature', (request, name, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com/${name}`);
  const said = signed({ ...request, url }, { accessKeyId, secretAccessKey, region: 'us-east-1' }, at);
  expect(said.authorization).toContain(`Signature=${signature}`);
});

test('a wrong secret, checksum or bucket name is refused with the error code of the file store', async () => {
  const key = newKey();
  const other = createS3Store({ ...credentials, secretAccessKey: 'other', endpoint: bucket.endpoint, bucket: 'files' });
  await expect(other.put(key, bytesOf(Buffer.from('x')))).rejects.toThrow(
    /^the file store answered 403 SignatureDoesNotMatch$/,
  );
  const nowhere = createS3Store({ ...credentials, endpoint: bucket.endpoint, bucket: 'nowhere' });
  await expect(nowhere.put(key, bytesOf(Buffer.from('x')))).rejects.toThrow('404 NoSuchBucket');
  await expect(s3.put(key, bytesOf(Buffer.from('x'), { sha256: EMPTY_PAYLOAD }))).rejects.toThrow(
    '400 XAmzContentSHA256Mismatch',
  );
  expect(bucket.objects.has(key)).toBe(false);
  await Promise.all([other.close(), nowhere.close()]);
});

test('a request that fails temporarily is sent up to three times, with all bytes', async () => {
  const key = newKey();
  const content = randomBytes(70_000);
  bucket.fail(503, 500);
  const before = bucket.answers.length;
  await s3.put(key, bytesOf(content));
  expect(bucket.answers.slice(before)).toEqual(['PUT 503', 'PUT 500', 'PUT 200']);
  expect(bucket.objects.get(key)).toMatchObject({ bytes: content, type: 'application/pdf' });
  bucket.fail(503, 503, 503);
  await expect(s3.delete(key)).rejects.toThrow('503 SlowDown');
  expect(bucket.objects.has(key)).toBe(true);
});

test('the environment chooses the store', () => {
  const configOf = (env: Record<string, string>) => filesConfig(variables.parse(env), '/folder');
  expect(configOf({})).toEqual({ folder: '/folder' });
  const named = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  expect(configOf({ ...named, S3_REGION: region })).toEqual({
    s3: { ...credentials, bucket: 'files', endpoint: 'https://s3.eu-central-1.amazonaws.com' },
  });
  expect(configOf({ ...named, S3_ENDPOINT: 'http://minio:9000' })).toMatchObject({
    s3: { endpoint: 'http://minio:9000' },
  });
  expect(() => configOf({ S3_BUCKET: 'files' })).toThrow('S3_BUCKET needs S3_ACCESS_KEY_ID');
  expect(() => configOf({ ...named, S3_BUCKET: '../files' })).toThrow('name of a bucket');
});
