import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Member } from '../../db/schema/member.ts';
import { invitationEmail } from '../../present/emails/people.ts';
import { addressIn } from '../accounts/members.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import { queueEmail } from '../mail/emails.ts';
import { invitationUrl } from './mails.ts';
import { findMemberIn, grantedTo, type MemberKey, refuseMore } from './members.ts';
import { lockPeople, refuseBeyond } from './rights.ts';

export interface NewInvitation {
  caller: Caller;
  email: string;
  name: string | null;
  /** Code of a role. */
  role: string;
  isLimited: boolean;
}

/** An invited member, and the page on which it accepts. The database stores only a hash of the address. */
export interface Invited {
  member: Member;
  url: string;
}

const LETTERS = 40;
const LASTS_MILLISECONDS = 7 * 24 * 3_600_000;

/**
 * Invites a person by mail; one who was deactivated is invited again. Refuses an unfit address, somebody who is a member or invited already, an
 * unknown role, and permissions that the caller does not hold.
 */
export async function inviteMember(em: EntityManager, input: NewInvitation, systemNow: Date): Promise<Invited> {
  const email = addressIn(input.email);
  const { accountId, held } = await lockPeople(em, input.caller);
  const known = await em.findOne(Member, { accountId, email });
  if (known?.status === 'active') throw new Refusal('already_taken', `${email} is a member already`, 'email');
  if (known?.status === 'invited')
    throw new Refusal('already_taken', `${email} is invited already: send the invitation again`, 'email');
  const { role, isLimited, name } = input;
  refuseBeyond(await grantedTo(em, { accountId, role, isLimited }), held, 'role');
  await refuseMore(em, accountId);
  const invitedById = input.caller.member?.id ?? null;
  const fields = { role, isLimited, name, status: 'invited' as const, invitedById, updatedAt: systemNow };
  const member = known
    ? em.assign(known, fields)
    : em.create(Member, { accountId, email, ...fields, createdAt: systemNow });
  return { member, url: sendInvitation(em, { member, caller: input.caller }, systemNow) };
}

/** Sends a waiting invitation again, for seven days from now. The links from before lead nowhere. Throws Missing. */
export async function resendInvitation(em: EntityManager, key: MemberKey, systemNow: Date): Promise<Invited> {
  const people = await lockPeople(em, key.caller);
  const member = await findMemberIn(em, people, key.id);
  if (member.status !== 'invited') throw new Refusal('state_conflict', `${member.email} has no waiting invitation`);
  refuseBeyond(await grantedTo(em, member), people.held, 'role');
  member.updatedAt = systemNow;
  return { member, url: sendInvitation(em, { member, caller: key.caller }, systemNow) };
}

/**
 * Mails a new link, and returns one to copy. The token to copy is the hash of the mailed one: who has the copied link cannot find the mailed
 * one, which alone proves the address. The message that members read among the mails of the account has no link.
 */
function sendInvitation(
  em: EntityManager,
  { member, caller }: { member: Member; caller: Caller },
  systemNow: Date,
): string {
  const mailed = randomText(LETTERS);
  const copied = hashSecret(mailed);
  const invitationHash = hashSecret(copied);
  const invitationEndsAt = new Date(systemNow.getTime() + LASTS_MILLISECONDS);
  em.assign(member, { invitationHash, invitationEndsAt });
  const { account } = caller;
  const inviter = caller.member?.email ?? account.name;
  const rendered = invitationEmail({ seller: account, href: invitationUrl(mailed), account: account.name, inviter });
  const at = { moment: accountMoment(caller, systemNow), customer: null, clockId: null };
  const { email } = member;
  const cause = `invitation:${invitationHash.slice(0, LETTERS)}`;
  queueEmail(em, at, { template: 'invitation_email', cause, to: { name: member.name ?? email, email }, rendered });
  return invitationUrl(copied);
}
