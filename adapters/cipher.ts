import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Cipher } from '../commands/ports/ports.ts';

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/**
 * Encrypts texts with AES-256-GCM. The key has 32 bytes; any other length throws. Encrypted text is `v1.` followed by nonce, tag and cipher
 * text in base64url. `decrypt` throws for text that was altered or encrypted with another key. `other`: a second key, whose texts are decrypted
 * too, while keys are rotated.
 */
export function createCipher(key: Uint8Array, other: Uint8Array | null = null): Cipher {
  for (const { length } of other ? [key, other] : [key])
    if (length !== keyBytes) throw new Error(`The encryption key has ${length} bytes, it needs ${keyBytes}`);
  const decrypt = (sealed: string) => {
    try {
      return open(key, sealed);
    } catch (error) {
      if (!other) throw error;
      return open(other, sealed);
    }
  };
  return { encrypt: (plain) => seal(key, plain), decrypt };
}

/** Identifies a key without revealing it: 16 hexadecimal digits, stored beside the data that is encrypted with the key. */
export function keyFingerprint(key: Uint8Array): string {
  return createHash('sha256').update('perennial encryption key').update(key).digest('hex').slice(0, 16);
}

function seal(key: Uint8Array, plain: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(version));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
}

function open(key: Uint8Array, sealed: string): string {
  const [prefix, data, ...rest] = sealed.split('.');
  if (prefix !== version || data === undefined || rest.length > 0) throw new Error('This is not a sealed text');
  const bytes = Buffer.from(data, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) throw new Error('The sealed text is cut short');
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(version)).setAuthTag(tag);
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    throw new Error('The sealed text was altered or sealed with another key');
  }
}
