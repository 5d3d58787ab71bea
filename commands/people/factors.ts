import { newTotpSecret, totpStepOf } from '../../billing/people/totp.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isInOtherAccounts } from '../../db/queries/accounts/people.ts';
import { rightsOf } from '../../db/queries/accounts/roles.ts';
import { Member } from '../../db/schema/member.ts';
import { Passkey, Person, PersonSession, RecoveryCode } from '../../db/schema/person.ts';
import { Missing } from '../kernel/missing.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import type { Cipher } from '../ports/ports.ts';
import { tellPerson } from './mails.ts';
import { findMemberIn, type MemberKey } from './members.ts';
import { lockPeople, refuseBeyond } from './rights.ts';
import { endSecrets } from './secrets.ts';

const CODES = 10;
/** At least 112 bits, so that their hashes need no salt: OWASP ASVS 6.5.2. */
const CODE_LETTERS = 24;

/** A new secret for an authenticator app, which counts once its first code was checked. `sealed`: as a browser or row may hold it. */
export function offerTotp(cipher: Cipher): { secret: string; sealed: string } {
  const secret = newTotpSecret();
  return { secret, sealed: cipher.encrypt(secret) };
}

/** The secret of an offer. A made-up offer has none, so no code belongs to it. */
function openedOffer(cipher: Cipher, sealed: string): string {
  try {
    return cipher.decrypt(sealed);
  } catch {
    return newTotpSecret();
  }
}

/** Stores the secret of an authenticator app after its first code. Returns false for a wrong code. */
export async function addTotp(
  em: EntityManager,
  { person, sealed, code, cipher }: { person: Person; sealed: string; code: string; cipher: Cipher },
  now: Date,
): Promise<boolean> {
  const step = totpStepOf(code, { secret: openedOffer(cipher, sealed), lastStep: null }, now);
  if (step === null) return false;
  em.assign(person, { sealedTotpSecret: sealed, totpStep: step, updatedAt: now });
  return true;
}

/**
 * Checks a code of the person's authenticator app. Its step is stored, so that the same code counts once: of two uses at the same time
 * one fails.
 */
export async function checkTotp(
  em: EntityManager,
  { person, code, cipher }: { person: Person; code: string; cipher: Cipher },
  now: Date,
): Promise<boolean> {
  const { id, sealedTotpSecret: sealed, totpStep: lastStep = null } = person;
  if (!sealed) return false;
  const step = totpStepOf(code, { secret: cipher.decrypt(sealed), lastStep }, now);
  if (step === null) return false;
  const earlier = { $or: [{ totpStep: null }, { totpStep: { $lt: step } }] };
  return (await em.nativeUpdate(Person, { id, ...earlier }, { totpStep: step })) === 1;
}

/** Makes ten recovery codes in place of the earlier ones. They are shown once; the database stores their hashes. */
export async function newRecoveryCodes(em: EntityManager, person: Person): Promise<string[]> {
  await em.nativeDelete(RecoveryCode, { person });
  const codes = Array.from({ length: CODES }, () => randomText(CODE_LETTERS).toLowerCase());
  for (const code of codes) em.create(RecoveryCode, { person, hash: hashOf(person.id, code) });
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/** Uses a recovery code up. */
export async function takeRecoveryCode(
  em: EntityManager,
  { person, code }: { person: Person; code: string },
  now: Date,
): Promise<boolean> {
  const hash = hashOf(person.id, code.toLowerCase().replaceAll(/[\s-]/g, ''));
  return (await em.nativeUpdate(RecoveryCode, { person, hash, usedAt: null }, { usedAt: now })) === 1;
}

const hashOf = (personId: number, code: string): string => hashSecret(`recovery:${personId}:${code}`);

/** Removes the authenticator app. Without another factor, the recovery codes go with it. */
export async function removeTotp(em: EntityManager, person: Person, now: Date): Promise<void> {
  em.assign(person, { sealedTotpSecret: null, totpStep: null, updatedAt: now });
  await dropUselessCodes(em, person);
}

/** Removes the recovery codes of a person without another factor: there is nothing that they replace. */
export async function dropUselessCodes(em: EntityManager, person: Person): Promise<void> {
  if (person.sealedTotpSecret || (await em.count(Passkey, { person })) > 0) return;
  await em.nativeDelete(RecoveryCode, { person });
}

/**
 * Removes the authenticator app, passkeys and recovery codes of a person, who then signs in with its password alone, and ends its sessions
 * and half sign-ins; its browsers are no longer known. Tells the person. `by`: who did it.
 */
async function resetFactors(em: EntityManager, { person, by }: { person: Person; by: string }, now: Date) {
  await em.nativeDelete(Passkey, { person });
  await em.nativeDelete(RecoveryCode, { person });
  em.assign(person, { sealedTotpSecret: null, totpStep: null, updatedAt: now });
  await em.nativeDelete(PersonSession, { person });
  await endSecrets(em, person.id, ['second_factor', 'passkey', 'device']);
  tellPerson(em, { person, what: 'Your second factor was removed', from: by }, now);
}

/**
 * Resets the factors of a member's person. For the operator, who has checked who asks; works as the system. Throws Missing for an address
 * that belongs to no member of the account.
 */
export async function resetFactorsOf(
  em: EntityManager,
  { accountId, email }: { accountId: number; email: string },
  systemNow: Date,
): Promise<Person> {
  const member = await em.findOne(Member, { accountId, email }, { populate: ['person'] });
  const person = member?.person;
  if (!person) throw new Missing('Member', email);
  await resetFactors(em, { person, by: 'the operator of the system' }, systemNow);
  return person;
}

/**
 * Resets the factors of a member's person, and tells both people. Works as the system. Refuses the caller itself, a member who may do more
 * than the caller, one who is not active, and a person with another account, whose sign-in does not belong to this one. Throws Missing.
 */
export async function resetMemberFactors(
  em: EntityManager,
  { caller, id }: MemberKey,
  systemNow: Date,
): Promise<Member> {
  const people = await lockPeople(em, caller);
  const member = await findMemberIn(em, people, id);
  const { email, person } = member;
  if (caller.member?.id === id)
    throw new Refusal('state_conflict', 'You change your own factors where you sign in, at /security');
  if (member.status !== 'active' || !person) throw new Refusal('state_conflict', `${email} is not an active member`);
  refuseBeyond(await rightsOf(em, member), people.held, 'id');
  if (await isInOtherAccounts(em, { personId: person.id, accountId: people.accountId })) {
    const who = `${email} also belongs to another account`;
    throw new Refusal('state_conflict', `${who}: a recovery code signs it in, or the operator resets its factors`);
  }
  const whole = await em.findOneOrFail(Person, { id: person.id });
  await resetFactors(em, { person: whole, by: caller.member?.email ?? caller.account.name }, systemNow);
  if (caller.member) {
    const from = caller.credential?.kind === 'member' ? 'a browser in which you are signed in' : 'an API key of yours';
    tellPerson(em, { person: caller.member, what: `You removed the second factor of ${email}`, from }, systemNow);
  }
  return member;
}
