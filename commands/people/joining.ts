import { randomInt } from 'node:crypto';
import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Account } from '../../db/schema/account.ts';
import { Member } from '../../db/schema/member.ts';
import { Person } from '../../db/schema/person.ts';
import { logAct } from '../kernel/auditLog.ts';
import { hashSecret } from '../kernel/secrets.ts';
import { mailCode } from './mails.ts';
import { countTryOf, findSecret, newSecret, takeSecret } from './secrets.ts';

/** An invitation that waits, and the account that it leads to. */
export interface Invitation {
  member: Member;
  account: Account;
  /** Whether the link was mailed, so that it proves the address. A link that was copied does not. */
  isProof: boolean;
  /** Whether somebody signs in with this address already. */
  hasPerson: boolean;
}

/** The invitation of a link; null: it was accepted, withdrawn, or is older than seven days. */
export async function findInvitation(em: EntityManager, secret: string, now: Date): Promise<Invitation | null> {
  const [asCopied, asMailed] = [hashSecret(secret), hashSecret(hashSecret(secret))];
  const member = await em.findOne(Member, {
    invitationHash: { $in: [asCopied, asMailed] },
    status: 'invited',
    invitationEndsAt: { $gt: now },
  });
  if (!member) return null;
  const account = await em.findOneOrFail(Account, { id: member.accountId });
  const isProof = member.invitationHash === asMailed;
  return { member, account, isProof, hasPerson: (await em.count(Person, { email: member.email })) > 0 };
}

/** Who joins: somebody who signs in already, or somebody new. */
export type Joining = { personId: number } | { name: string; passwordHash: string };

/**
 * Accepts an invitation. Somebody new gets a person with the name and password; somebody who signs in already must be signed in as the
 * invited address. `codeSecret`: that of the browser whose mailed code proved the address, which is used up. Returns the person; null: the
 * invitation has ended. Of two acceptances at the same time one counts.
 */
export async function acceptInvitation(
  em: EntityManager,
  { secret, as, codeSecret }: { secret: string; as: Joining; codeSecret: string | null },
  now: Date,
): Promise<Person | null> {
  const found = await findInvitation(em, secret, now);
  if (!found) return null;
  const { accountId, id } = found.member;
  const member = await lockRow(em, Member, { accountId, id });
  if (member?.status !== 'invited') return null;
  const person = await personFor(em, { email: member.email, as }, now);
  if (codeSecret !== null) await takeSecret(em, { purpose: 'email_code', secret: codeSecret }, now);
  em.assign(member, {
    status: 'active',
    person,
    name: person.name ?? null,
    invitationHash: null,
    invitationEndsAt: null,
    updatedAt: now,
  });
  const by = { actor: 'member', actorId: id, actorName: member.email, memberId: id } as const;
  const object = { type: 'member', id };
  logAct(em, { accountId, by, kind: 'change', operation: 'acceptInvitation', object }, now);
  return person;
}

/** The person with an address that was proven. Of two who are new with it at the same time, one gets it, and the other is refused. */
export async function personFor(
  em: EntityManager,
  { email, as }: { email: string; as: Joining },
  now: Date,
): Promise<Person> {
  await lockCountOf(em, 'person', 0);
  const known = await em.findOne(Person, { email });
  if ('personId' in as) {
    if (known?.id === as.personId) return known;
    throw new Refusal('permission_missing', `This link is for ${email}: sign in with this address`);
  }
  if (known) throw new Refusal('permission_missing', `Somebody signs in as ${email} already: sign in first`);
  const { name, passwordHash } = as;
  return em.create(Person, { email, name, passwordHash, passwordSetAt: now, createdAt: now, updatedAt: now });
}

/** The code and the browser for which it was mailed. */
interface MailedCode {
  email: string;
  /** The secret of the browser. Without it, the stored hash of six digits does not tell them. */
  secret: string;
  code: string;
}

const codeHashOf = ({ email, secret, code }: MailedCode): string => hashSecret(`${email}:${secret}:${code}`);

/** Mails six digits to the invited address. Returns the secret with which they count, for the browser that asked. */
export function mailInvitationCode(em: EntityManager, { member, account }: Invitation, now: Date): string {
  const { email } = member;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  mailCode(em, { email, code, account: account.name }, now);
  const data = (secret: string) => ({ codeHash: codeHashOf({ email, secret, code }) });
  return newSecret(em, { purpose: 'email_code', personId: null, data }, now);
}

/** Refuses a code that was not mailed to the invited address for the browser with this secret, and the sixth try. */
export async function checkInvitationCode(
  em: EntityManager,
  { member, secret, code }: { member: Member; secret: string; code: string },
  now: Date,
): Promise<void> {
  const known = await findSecret(em, { purpose: 'email_code', secret }, now);
  if (known) await countTryOf(em, known);
  const isRight =
    Reflect.get(known?.data ?? {}, 'codeHash') === codeHashOf({ email: member.email, secret, code: code.trim() });
  if (!isRight) throw new Refusal('parameter_invalid', 'This is not the code that was mailed last', 'code');
}
