import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../billing/refusal.ts';

const LEAST_CHARACTERS = 16;

/** Refuses a password that can be guessed, or that no header can hold. */
export function checkPassword(secret: string): void {
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length < LEAST_CHARACTERS)
    throw new Refusal(
      'parameter_invalid',
      `Secret must have at least ${LEAST_CHARACTERS} letters, digits or signs of ASCII, no spaces`,
      'secret',
    );
}

/** Refuses a request whose basic authentication has another password. The name of the user does not matter. */
export function checkBasicAuth(secret: string, header: string | undefined): void {
  const [, encoded = ''] = /^basic ([a-z0-9+/=]+)$/i.exec(header ?? '') ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  if (colon < 0 || !timingSafeEqual(digest(credentials.slice(colon + 1)), digest(secret)))
    throw new Refusal('signature_invalid', 'The password of the event does not match');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
