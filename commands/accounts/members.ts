import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { Member } from '../../db/schema/member.ts';
import { randomText } from '../kernel/secrets.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const PASSWORD_LETTERS = 20;
const LONGEST_PASSWORD = 256;
/** Maximum number of members with the same address whose passwords a sign-in compares. Each is a member of another business. */
const MOST_BUSINESSES = 5;

/** Creates a member of a live account. Returns the generated password; the database stores only its hash. Refuses an invalid address. */
export async function createMember(
  em: EntityManager,
  input: { liveAccountId: number; email: string },
  systemNow: Date,
): Promise<{ member: Member; password: string }> {
  const email = input.email.trim().toLowerCase();
  if (!/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(email))
    throw new Refusal('parameter_invalid', `Email must be an email address: ${email}`, 'email');
  const password = randomText(PASSWORD_LETTERS);
  const member = em.create(Member, {
    accountId: input.liveAccountId,
    email,
    passwordHash: await hashPassword(password),
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  return { member, password };
}

/**
 * The member with this address and password; null: none. An unknown address takes as long as a known one. If several businesses have a
 * member with this address, the first whose password matches is returned.
 */
export async function checkPassword(
  em: EntityManager,
  given: { email: string; password: string },
): Promise<Member | null> {
  if (given.password.length > LONGEST_PASSWORD) return null;
  const email = given.email.trim().toLowerCase();
  const members = await em.find(Member, { email }, { orderBy: { id: 'asc' }, limit: MOST_BUSINESSES });
  if (members.length === 0) await verifyPassword(given.password, null);
  for (const member of members) if (await verifyPassword(given.password, member.passwordHash)) return member;
  return null;
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
  const accountId = account.environment === 'live' ? account.id : (account.twinId ?? account.id);
  const known = new Set((await em.find(Member, { accountId, id: { $in: ids } })).map(({ id }) => id));
  const wrong = users.find(({ id }) => id !== null && !known.has(id));
  if (wrong) throw new Refusal('resource_missing', `User was not found: ${wrong.id}`, wrong.param);
}
