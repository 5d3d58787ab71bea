import { personAddress } from '../../billing/people/address.ts';
import { checkNewPassword, LONGEST_PASSWORD } from '../../billing/people/proofs.ts';
import type { EntityManager } from '../../db/orm.ts';
import { adoptMembers } from '../../db/queries/accounts/people.ts';
import { Passkey, Person, PersonSession, RecoveryCode } from '../../db/schema/person.ts';
import { hashPassword, verifyPassword } from '../accounts/passwords.ts';
import { endSecrets } from './secrets.ts';

/** An address as persons are found by it: lower case, and its domain in ASCII. */
export const emailKey = (email: string): string => personAddress(email) ?? email.trim().toLowerCase();

/** The person with this address; null: there is none. Takes the same statements for any address, so that their time tells nothing. */
export async function personOf(em: EntityManager, email: string, now: Date): Promise<Person | null> {
  const key = emailKey(email);
  await adoptMembers(em, key, now);
  return em.findOne(Person, { email: key });
}

/** The person with this address and password; null: none. An unknown address takes as long as a known one. */
export async function personByPassword(
  em: EntityManager,
  given: { email: string; password: string },
  now: Date,
): Promise<Person | null> {
  if (given.password.length > LONGEST_PASSWORD) return null;
  const person = await personOf(em, given.email, now);
  return (await verifyPassword(given.password, person?.passwordHash ?? null)) ? person : null;
}

/** What a person can prove besides its password. */
export interface Factors {
  hasTotp: boolean;
  passkeys: number;
  /** Recovery codes that are left. */
  recoveryCodes: number;
}

export async function factorsOf(em: EntityManager, person: Person): Promise<Factors> {
  const passkeys = await em.count(Passkey, { person });
  const recoveryCodes = await em.count(RecoveryCode, { person, usedAt: null });
  return { hasTotp: Boolean(person.sealedTotpSecret), passkeys, recoveryCodes };
}

export const hasSecondFactor = ({ hasTotp, passkeys }: Factors): boolean => hasTotp || passkeys > 0;

/** The hash of a new password. It takes long, so it is made before the transaction that sets it. Refuses a weak password. */
export async function newPasswordHash(password: string, email: string): Promise<string> {
  await checkNewPassword(password, email);
  return hashPassword(password);
}

/**
 * Sets a new password, and ends all other sessions, links and half sign-ins of the person. Its browsers are no longer known. Factors stay: a
 * reset never skips them.
 */
export async function setPassword(
  em: EntityManager,
  {
    person,
    passwordHash,
    keptSessionId = null,
  }: { person: Person; passwordHash: string; keptSessionId?: number | null },
  now: Date,
): Promise<void> {
  em.assign(person, { passwordHash, passwordSetAt: now, updatedAt: now });
  await em.nativeDelete(PersonSession, { person, ...(keptSessionId === null ? {} : { id: { $ne: keptSessionId } }) });
  await endSecrets(em, person.id, ['reset', 'second_factor', 'console', 'device']);
}
