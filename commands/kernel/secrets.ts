import { createHash, randomInt } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits, just under six bits each. */
export function randomText(letters: number): string {
  return Array.from({ length: letters }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** How a key, a token or a cookie is kept: SHA-256, hexadecimal. They are random enough to need no salt. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
