import { randomBytes } from 'node:crypto';

/** Id of a catalog object that was given none: 16 letters and digits after a prefix. */
export function newCode(prefix: 'item' | 'plan'): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}
