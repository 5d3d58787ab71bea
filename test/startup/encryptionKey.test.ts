import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { keyFingerprint } from '../../adapters/cipher.ts';
import { newLogins } from '../../adapters/databaseLogins.ts';
import { readConfig } from '../../bin/config.ts';
import { buildDeps } from '../../bin/deps.ts';
import { encryptionKeyFile, ensureEncryptionKey } from '../../bin/encryptionKey.ts';
import { runMigrate } from '../../bin/migrate.ts';
import { grantLogins } from '../../db/logins.ts';
import { createTestDatabase } from '../support/database.ts';
import { testConfig } from '../support/product.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'perennial-key-'));
afterAll(() => rmSync(dataFolder, { recursive: true }));
const env = { PERENNIAL_DATA: dataFolder, DATABASE_URL: 'postgres://a/b' };

test('a key is created once, only its owner can read it, and the start says what its loss means', () => {
  const said: string[] = [];
  ensureEncryptionKey(dataFolder, (line) => said.push(line));
  const made = readConfig(env).encryptionKey;
  ensureEncryptionKey(dataFolder, (line) => said.push(line));
  expect(readConfig(env).encryptionKey).toEqual(made);
  expect(made).toHaveLength(32);
  expect(statSync(encryptionKeyFile(dataFolder)).mode & 0o777).toBe(0o600);
  expect(said).toEqual([expect.stringContaining('without it the secrets stored in the database cannot be read again')]);
});

test('a key from the environment takes precedence; a wrong one is refused without printing it', () => {
  const given = Buffer.alloc(32, 9);
  expect(readConfig({ ...env, PERENNIAL_ENCRYPTION_KEY: given.toString('base64') }).encryptionKey).toEqual(given);
  for (const wrong of [Buffer.alloc(31, 9).toString('base64'), 'a secret, but no base64 of thirty-two bytes']) {
    expect(() => readConfig({ ...env, PERENNIAL_ENCRYPTION_KEY: wrong })).toThrow(
      /^PERENNIAL_ENCRYPTION_KEY must be 32 bytes as base64, for example/,
    );
  }
});

test('a database opens only with its own key; the refusal has both fingerprints; a damaged key file is named', async () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const database = await createTestDatabase();
  const configOf = (key: Buffer) =>
    testConfig({ DATABASE_URL: database.url, PERENNIAL_ENCRYPTION_KEY: key.toString('base64') });
  await runMigrate(configOf(one));
  await (await buildDeps(configOf(one))).close();
  await (await buildDeps(configOf(one))).close();
  await grantLogins(database.url, [newLogins(other)]); // lets the other key log in, so that its fingerprint is compared
  const refusal = await buildDeps(configOf(other)).catch((error: unknown) => String(error));
  for (const part of [keyFingerprint(one), keyFingerprint(other), 'encryption.key']) expect(refusal).toContain(part);
  await database.drop();

  writeFileSync(encryptionKeyFile(dataFolder), 'half a k');
  expect(() => readConfig(env)).toThrow(encryptionKeyFile(dataFolder));
});
