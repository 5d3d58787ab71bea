import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyFingerprint } from '../adapters/cipher.ts';
import { ConfigError } from './configError.ts';

const KEY_BYTES = 32;

/** Path of the file that holds the encryption key of a data folder. */
export function encryptionKeyFile(dataFolder: string): string {
  return join(dataFolder, 'encryption.key');
}

/** Decodes a key of 32 bytes from base64. Null for any other text. */
export function parseEncryptionKey(text: string): Buffer | null {
  const key = Buffer.from(text.trim(), 'base64');
  return key.length === KEY_BYTES && /^[A-Za-z0-9+/_-]+=*$/.test(text.trim()) ? key : null;
}

/** The key stored in the data folder. Null if there is none. Throws a ConfigError if the file contains anything else. */
export function keptEncryptionKey(dataFolder: string): Buffer | null {
  const file = encryptionKeyFile(dataFolder);
  if (!existsSync(file)) return null;
  const key = parseEncryptionKey(readFileSync(file, 'utf8'));
  if (!key)
    throw new ConfigError(
      `${file} does not hold a key (32 bytes as base64). Restore it from a backup; without it stored secrets are lost.`,
    );
  return key;
}

/** Creates a key in the data folder if there is none, and tells the operator to keep a copy. */
export function ensureEncryptionKey(dataFolder: string, progress: (line: string) => void): void {
  if (keptEncryptionKey(dataFolder)) return;
  mkdirSync(dataFolder, { recursive: true });
  const file = encryptionKeyFile(dataFolder);
  writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  progress(
    `Created an encryption key: ${file}. Keep a copy: without it the secrets stored in the database cannot be read again.`,
  );
}

/** Throws a ConfigError with advice if the secrets in the database were encrypted with another key than these. */
export function assertEncryptionKey(storedFingerprint: string, key: Uint8Array, other: Uint8Array | null = null): void {
  const fingerprint = keyFingerprint(key);
  if (fingerprint === storedFingerprint || (other && keyFingerprint(other) === storedFingerprint)) return;
  throw new ConfigError(
    `The secrets in this database were encrypted with another key (fingerprint ${storedFingerprint}) than the one given (${fingerprint}). ` +
      'Set PERENNIAL_ENCRYPTION_KEY to that key, or put its file back as encryption.key in the data folder. ' +
      'If it is lost, webhook signing secrets and other stored secrets cannot be recovered; invoices, payments and books are not encrypted.',
  );
}
