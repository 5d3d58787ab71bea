import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { addTry } from '../../db/queries/accounts/people.ts';
import { PersonSecret, type Purpose } from '../../db/schema/person.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';

const LETTERS = 43;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a secret counts, milliseconds. */
export const LIFETIMES: Readonly<Record<Purpose, number>> = {
  sign_up: HOUR,
  reset: HOUR,
  second_factor: 10 * MINUTE,
  passkey: 5 * MINUTE,
  email_code: 10 * MINUTE,
  device: 365 * 24 * HOUR,
  console: 10 * MINUTE,
  download: MINUTE,
};

interface NewSecret {
  purpose: Purpose;
  personId: number | null;
  /** What its use needs. It may depend on the secret, as the hash of a short code does. */
  data?: object | ((secret: string) => object);
}

/** Makes a secret and returns it. The database stores only its hash. */
export function newSecret(em: EntityManager, { purpose, personId, data: given = {} }: NewSecret, now: Date): string {
  const secret = randomText(LETTERS);
  const data = typeof given === 'function' ? given(secret) : given;
  const expiresAt = new Date(now.getTime() + LIFETIMES[purpose]);
  em.create(PersonSecret, { purpose, person: personId, hash: hashSecret(secret), data, expiresAt, createdAt: now });
  return secret;
}

interface Sought {
  purpose: Purpose;
  secret: string;
}

/** A secret that still counts; null: there is none. It stays usable. */
export function findSecret(em: EntityManager, { purpose, secret }: Sought, now: Date): Promise<PersonSecret | null> {
  return em.findOne(PersonSecret, { purpose, hash: hashSecret(secret), usedAt: null, expiresAt: { $gt: now } });
}

/** Uses a secret up. Of two uses at the same time one gets it, the other null. */
export async function takeSecret(em: EntityManager, sought: Sought, now: Date): Promise<PersonSecret | null> {
  const found = await findSecret(em, sought, now);
  if (!found) return null;
  const taken = await em.nativeUpdate(PersonSecret, { id: found.id, usedAt: null }, { usedAt: now });
  return taken === 1 ? found : null;
}

/** Ends all secrets of a person for these purposes. */
export async function endSecrets(em: EntityManager, personId: number, purposes: readonly Purpose[]): Promise<void> {
  await em.nativeDelete(PersonSecret, { person: personId, purpose: { $in: [...purposes] } });
}

/** Counts a try of a secret that a code goes with. Refuses the sixth, also of tries at the same time. */
export async function countTryOf(em: EntityManager, secret: PersonSecret): Promise<void> {
  const most = 5;
  if (!(await addTry(em, { id: secret.id, most })))
    throw new Refusal('limit_exceeded', 'Too many wrong codes: sign in again');
}
