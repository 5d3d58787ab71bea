import { hasVisible } from '../../billing/look/visibleText.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Member } from '../../db/schema/member.ts';
import type { Person, PersonSecret } from '../../db/schema/person.ts';
import { openPair } from '../accounts/accounts.ts';
import { addressIn } from '../accounts/members.ts';
import { logAct } from '../kernel/auditLog.ts';
import { type Joining, personFor } from './joining.ts';
import { mailSignUp } from './mails.ts';
import { personOf } from './persons.ts';
import { findSecret, newSecret, takeSecret } from './secrets.ts';

/** What somebody asks for who wants an account. */
export interface SignUp {
  /** An address as people are found by it. */
  email: string;
  business: string;
}

const LONGEST_NAME = 255;

/** A name of a business or person as it is stored. Refuses one without a visible character, or longer than 255 characters. */
export function nameIn(text: string, { what, param }: { what: string; param: string }): string {
  const name = text.trim();
  if (!hasVisible(name)) throw new Refusal('parameter_missing', `${what} missing`, param);
  if (name.length > LONGEST_NAME)
    throw new Refusal('parameter_invalid', `${what} may have at most ${LONGEST_NAME} characters`, param);
  return name;
}

/** What the form asks for. Refuses what is no address, and an unfit name. Whether somebody has the address makes no difference. */
export function signUpIn(given: { email: string; business: string }): SignUp {
  const business = nameIn(given.business, { what: 'Name of the business', param: 'business' });
  return { email: addressIn(given.email), business };
}

/** Mails the link that opens the account, to an address that is known or not. */
export function sendSignUp(em: EntityManager, { email, business }: SignUp, now: Date): void {
  const secret = newSecret(em, { purpose: 'sign_up', personId: null, data: { email, business } }, now);
  mailSignUp(em, { email, secret }, now);
}

/** A link that waits. `hasPerson`: somebody signs in with this address already. */
export interface FoundSignUp extends SignUp {
  hasPerson: boolean;
}

/** The link with this secret; null: it was used, or is older than an hour. */
export async function findSignUp(em: EntityManager, secret: string, now: Date): Promise<FoundSignUp | null> {
  const found = await findSecret(em, { purpose: 'sign_up', secret }, now);
  if (!found) return null;
  const asked = askedIn(found);
  return { ...asked, hasPerson: (await personOf(em, asked.email, now)) !== null };
}

function askedIn({ data }: PersonSecret): SignUp {
  return { email: String(Reflect.get(data, 'email')), business: String(Reflect.get(data, 'business')) };
}

/**
 * Opens the account pair of a mailed link, with the person as its administrator. Somebody new gets the name and password; somebody who signs in
 * already must be signed in with this address. Returns the person; null: the link has ended. Of two uses at the same time one counts.
 */
export async function openSignedUp(
  em: EntityManager,
  { secret, as }: { secret: string; as: Joining },
  now: Date,
): Promise<Person | null> {
  const taken = await takeSecret(em, { purpose: 'sign_up', secret }, now);
  if (!taken) return null;
  const { email, business } = askedIn(taken);
  const person = await personFor(em, { email, as }, now);
  const { live } = await openPair(em, { name: business }, now);
  const of = { accountId: live.id, person, email, name: person.name ?? null };
  const member = em.create(Member, { ...of, createdAt: now, updatedAt: now });
  await em.write(); // assigns the id
  const by = { actor: 'member', actorId: member.id, actorName: email, memberId: member.id } as const;
  const object = { type: 'account', id: live.id };
  logAct(em, { accountId: live.id, by, kind: 'change', operation: 'openAccount', object }, now);
  return person;
}
