import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../../bin/config.ts';
import {
  assertEncryptionKey,
  encryptionKeyFile,
  encryptionKeyFingerprint,
  ensureEncryptionKey,
} from '../../bin/encryptionKey.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'perennial-key-'));
afterAll(() => rmSync(dataFolder, { recursive: true }));
const env = { PERENNIAL_DATA: dataFolder, DATABASE_URL: 'postgres://a/b' };

test('a key is made once, readable by its owner only, and its loss explained', () => {
  const said: string[] = [];
  ensureEncryptionKey(dataFolder, (line) => said.push(line));
  const made = readConfig(env).encryptionKey;
  ensureEncryptionKey(dataFolder, (line) => said.push(line));
  expect(readConfig(env).encryptionKey).toEqual(made);
  expect(made).toHaveLength(32);
  expect(statSync(encryptionKeyFile(dataFolder)).mode & 0o777).toBe(0o600);
  expect(said).toEqual([expect.stringContaining('without it the secrets stored in the database cannot be read again')]);
});

test('a key from the environment wins; anything but 32 bytes is refused without being repeated', () => {
  const given = Buffer.alloc(32, 9);
  expect(readConfig({ ...env, PERENNIAL_ENCRYPTION_KEY: given.toString('base64') }).encryptionKey).toEqual(given);
  for (const wrong of [Buffer.alloc(31, 9).toString('base64'), 'a secret, but no base64 of thirty-two bytes']) {
    expect(() => readConfig({ ...env, PERENNIAL_ENCRYPTION_KEY: wrong })).toThrow(
      /^PERENNIAL_ENCRYPTION_KEY must be 32 bytes as base64, for example/,
    );
  }
});

test("another key than the database's is refused with both fingerprints; a damaged file is named", () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  assertEncryptionKey(encryptionKeyFingerprint(one), one);
  const refused = () => assertEncryptionKey(encryptionKeyFingerprint(one), other);
  for (const key of [one, other]) expect(refused).toThrow(encryptionKeyFingerprint(key));
  expect(refused).toThrow('encryption.key');
  writeFileSync(encryptionKeyFile(dataFolder), 'half a k');
  expect(() => readConfig(env)).toThrow(encryptionKeyFile(dataFolder));
});
