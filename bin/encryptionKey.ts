import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyFingerprint } from '../adapters/cipher.ts';
import { ConfigError } from './configError.ts';

const KEY_BYTES = 32;

/** The file in a data folder that holds its key. */
export function encryptionKeyFile(dataFolder: string): string {
  return join(dataFolder, 'encryption.key');
}

/** 32 bytes out of base64 text; null when it is anything else. */
export function parseEncryptionKey(text: string): Buffer | null {
  const key = Buffer.from(text.trim(), 'base64');
  return key.length === KEY_BYTES && /^[A-Za-z0-9+/_-]+=*$/.test(text.trim()) ? key : null;
}

/** The key kept in the data folder; null when there is none. Throws when the file holds something else. */
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

/** Makes a key in the data folder unless it holds one; says so the first time. */
export function ensureEncryptionKey(dataFolder: string, progress: (line: string) => void): void {
  if (keptEncryptionKey(dataFolder)) return;
  mkdirSync(dataFolder, { recursive: true });
  const file = encryptionKeyFile(dataFolder);
  writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  progress(
    `Made an encryption key: ${file}. Keep a copy: without it the secrets stored in the database cannot be read again.`,
  );
}

/** Throws ConfigError, which explains what to do, when the database was encrypted with another key than this one. */
export function assertEncryptionKey(storedFingerprint: string, key: Uint8Array): void {
  const fingerprint = keyFingerprint(key);
  if (fingerprint === storedFingerprint) return;
  throw new ConfigError(
    `The secrets in this database were encrypted with another key (fingerprint ${storedFingerprint}) than the one given (${fingerprint}). ` +
      'Set PERENNIAL_ENCRYPTION_KEY to that key, or put its file back as encryption.key in the data folder. ' +
      'If it is lost, webhook signing secrets and other stored secrets cannot be recovered; invoices, payments and books are not encrypted.',
  );
}
