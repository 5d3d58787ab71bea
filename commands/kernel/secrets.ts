import { createHash, randomInt } from 'node:crypto';
import { addressKey } from '../../billing/mail/mailEvents.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { sourceUrl } from '../../present/kernel/links.ts';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits, each of 5.95 bits of entropy. */
export function randomText(letters: number): string {
  return Array.from({ length: letters }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** SHA-256 of a key, token or cookie, hexadecimal, as it is stored. These secrets are random enough to need no salt. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** An address is found by its hash, which stays when its customer is anonymized. */
export const addressHashOf = (accountId: number, address: string): string =>
  hashSecret(`mail:${accountId}:${addressKey(address)}`);

/** URL of the page on which a locked customer adds a payment source. A customer from before such pages gets its token. */
export function linkToSources(customer: Customer): string {
  customer.token ??= newToken();
  return sourceUrl(customer) ?? '';
}
