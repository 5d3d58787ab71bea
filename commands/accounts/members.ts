import { personAddress } from '../../billing/people/address.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Account, liveIdOf } from '../../db/schema/account.ts';
import { Member } from '../../db/schema/member.ts';
import { Person } from '../../db/schema/person.ts';
import { randomText } from '../kernel/secrets.ts';
import { hashPassword } from './passwords.ts';

const PASSWORD_LETTERS = 20;

/**
 * Creates an administrator of a live account. A new person gets a generated password, which is returned; the database stores only its
 * hash. Somebody who signs in already keeps its own: null. Refuses an invalid address.
 */
export async function createMember(
  em: EntityManager,
  input: { liveAccountId: number; email: string },
  systemNow: Date,
): Promise<{ member: Member; password: string | null }> {
  const email = addressIn(input.email);
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const known = await em.findOne(Person, { email });
  const password = known ? null : randomText(PASSWORD_LETTERS);
  const passwordHash = password === null ? null : await hashPassword(password);
  const person = known ?? em.create(Person, { email, passwordHash, passwordSetAt: systemNow, ...times });
  const member = em.create(Member, { accountId: input.liveAccountId, person, email, ...times });
  return { member, password };
}

/** An address as people are found by it. Refuses what is none, and letters other than ASCII before the @. */
export function addressIn(text: string): string {
  const email = personAddress(text);
  if (email !== null) return email;
  throw new Refusal(
    'parameter_invalid',
    `Email must be an email address with ASCII letters before the @: ${text}`,
    'email',
  );
}

/** Refuses a user who is not a member of the business, naming the field. Accepts null. */
export async function checkMember(
  em: EntityManager,
  account: Account,
  user: { id: number | null; param: string },
): Promise<void> {
  await checkMembers(em, account, [user]);
}

/** Refuses ids that are not those of members, in one statement. Names the field of the first one. */
export async function checkMembers(
  em: EntityManager,
  account: Account,
  users: readonly { id: number | null; param: string }[],
): Promise<void> {
  const ids = [...new Set(users.flatMap(({ id }) => id ?? []))];
  if (ids.length === 0) return;
  const accountId = liveIdOf(account);
  const known = new Set((await em.find(Member, { accountId, id: { $in: ids } })).map(({ id }) => id));
  const wrong = users.find(({ id }) => id !== null && !known.has(id));
  if (wrong) throw new Refusal('resource_missing', `User was not found: ${wrong.id}`, wrong.param);
}
