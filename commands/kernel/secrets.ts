import { createHash, randomInt } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits, each of 5.95 bits of entropy. */
export function randomText(letters: number): string {
  return Array.from({ length: letters }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** SHA-256 of a key, token or cookie, hexadecimal, as it is stored. These secrets are random enough to need no salt. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
