import { ADMINISTRATOR } from '../../billing/people/permissions.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Member } from '../../db/schema/member.ts';
import { Person, type PersonSecret } from '../../db/schema/person.ts';
import { addressIn } from '../accounts/members.ts';
import { verifyPassword } from '../accounts/passwords.ts';
import { logActOfPerson } from '../kernel/auditLog.ts';
import { factorsOf, hasSecondFactor, setPassword } from './persons.ts';
import { endSecrets, findSecret, newSecret, takeSecret } from './secrets.ts';

/** The administrator whom a link of the operator signs in, without a password. */
export interface StartLink {
  person: Person;
  /** The person has not chosen a password yet: it chooses name, address and password first. */
  setsUp: boolean;
}

/**
 * Makes a link that signs in the first administrator of a live account once, within ten minutes; an earlier one leads nowhere. Null: there is
 * no administrator, or it has a second factor, which no link replaces. `generated`: the password that it got when the account was opened.
 */
export async function newStartLink(
  em: EntityManager,
  { accountId, generated }: { accountId: number; generated: string },
  now: Date,
): Promise<string | null> {
  const first = { accountId, role: ADMINISTRATOR, isLimited: false, status: 'active' as const, person: { $ne: null } };
  const member = await em.findOne(Member, first, { orderBy: { id: 'asc' }, populate: ['person'] });
  const person = member?.person;
  if (!person || hasSecondFactor(await factorsOf(em, person))) return null;
  const setsUp = !person.passwordHash || (await verifyPassword(generated, person.passwordHash));
  await endSecrets(em, person.id, ['console']);
  return newSecret(em, { purpose: 'console', personId: person.id, data: { setsUp } }, now);
}

/** Whether the password that an administrator got when its account was opened still counts. */
export async function isGenerated(em: EntityManager, given: { email: string; password: string }): Promise<boolean> {
  const person = await em.findOne(Person, { email: given.email });
  return verifyPassword(given.password, person?.passwordHash ?? null);
}

/** The link with this secret; null: it was used, is older than ten minutes, or the person has a second factor by now. */
export async function findStartLink(em: EntityManager, secret: string, now: Date): Promise<StartLink | null> {
  const found = await findSecret(em, { purpose: 'console', secret }, now);
  return found && linkOf(em, found);
}

async function linkOf(em: EntityManager, { person: of, data }: PersonSecret): Promise<StartLink | null> {
  const person = of && (await em.findOne(Person, { id: of.id }));
  if (!person || hasSecondFactor(await factorsOf(em, person))) return null;
  return { person, setsUp: Reflect.get(data, 'setsUp') === true };
}

/** What an administrator chooses who opens the product for the first time. */
export interface Chosen {
  name: string;
  email: string;
  passwordHash: string;
}

/**
 * Uses a link up. `chosen`: null for a person that has a password of its own. Refuses an address of somebody else. Returns the person; null: the
 * link has ended. Of two uses at the same time one counts.
 */
export async function useStartLink(
  em: EntityManager,
  { secret, chosen }: { secret: string; chosen: Chosen | null },
  now: Date,
): Promise<Person | null> {
  const taken = await takeSecret(em, { purpose: 'console', secret }, now);
  const link = taken && (await linkOf(em, taken));
  if (!link || (link.setsUp && chosen === null)) return null;
  const { person } = link;
  if (link.setsUp && chosen) await setUp(em, { person, chosen }, now);
  await logActOfPerson(em, person.id, { kind: 'change', operation: 'useStartLink' }, now);
  return person;
}

async function setUp(
  em: EntityManager,
  { person, chosen }: { person: Person; chosen: Chosen },
  now: Date,
): Promise<void> {
  const email = addressIn(chosen.email);
  const { name, passwordHash } = chosen;
  if (email !== person.email) await refuseTaken(em, email);
  await setPassword(em, { person, passwordHash }, now);
  em.assign(person, { name, email });
  await em.nativeUpdate(Member, { person }, { name, email, updatedAt: now });
}

/** Refuses an address with which somebody else signs in, or is invited to any account: nothing proves here whose address it is. */
async function refuseTaken(em: EntityManager, email: string): Promise<void> {
  await lockCountOf(em, 'person', 0);
  const isTaken = (await em.count(Person, { email })) > 0 || (await em.count(Member, { email })) > 0;
  if (isTaken) throw new Refusal('already_taken', `Somebody else has the address ${email}`, 'email');
}
