import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Overload } from '../../billing/failures.ts';
import { createPlaces } from '../../db/fairness/places.ts';

/**
 * Hashes that a process computes at once. Each takes 19 MiB and a thread of the four that Node.js has for files, names and compression, so
 * many sign-ins at once must not take them all.
 */
const places = createPlaces<'all'>({
  size: 2,
  most: () => 2,
  mostWaiting: 100,
  longest: 5000, // milliseconds
  refusal: () => new Overload('Too many people sign in at this moment'),
});

type Derivation = Parameters<typeof argon2>[1];

/** Computes argon2id in another thread. Throws Overload when too many wait for it. */
async function derive(parameters: Derivation): Promise<Buffer> {
  const leave = await places.take('all');
  try {
    return await promisify(argon2)('argon2id', parameters);
  } finally {
    leave();
  }
}

/** Memory in KiB, passes, lanes: the OWASP minimum for argon2id. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes a password with argon2id, in PHC form. The parameters are stored with the hash, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const hash = await derive({ ...PARAMETERS, message: password, nonce, tagLength: HASH_BYTES });
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether a password matches a hash. A null hash never matches, but takes as long, so that the time does not reveal who is a member. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored ?? (await hashOfNobody())) ?? [];
  const expected = Buffer.from(hash, 'base64');
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const nonce = Buffer.from(salt, 'base64');
  const given = await derive({ ...parameters, message: password, nonce, tagLength: expected.length });
  return timingSafeEqual(given, expected) && stored !== null;
}

let nobodys: Promise<string> | undefined;

/** Hash of a random password, made once. */
function hashOfNobody(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(SALT_BYTES).toString('hex'));
  return nobodys;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
