import { IDLE_MILLISECONDS, LONGEST_SESSION_MILLISECONDS, type Proof } from '../../billing/people/proofs.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type FoundSession, findPersonSession, moveSessionEnd } from '../../db/queries/accounts/people.ts';
import { Member } from '../../db/schema/member.ts';
import { Person, PersonSession } from '../../db/schema/person.ts';
import { logActOfPerson } from '../kernel/auditLog.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import { tellPerson } from './mails.ts';
import { endSecrets, findSecret, newSecret } from './secrets.ts';

const LETTERS = 43;
const MINUTE = 60_000;
/** Sessions that are shown. */
const MOST_SHOWN = 100;

/** The browser of a request. */
export interface Browser {
  ip: string;
  userAgent: string | null;
  /** The cookie by which a browser is known again after the session has ended; null: it has none. */
  device: string | null;
}

/** Cookies of a new session. */
export interface StartedSession {
  cookie: string;
  /** Cookie of a browser that the person used for the first time; null: it is known. */
  device: string | null;
}

export interface SignIn {
  personId: number;
  proofs: readonly Proof[];
  browser: Browser;
  /** The session of this browser from before, which ends; null: there is none. */
  before: FoundSession | null;
}

/**
 * Signs a person in, and logs it in its accounts. The cookie is new, so nothing of an earlier session counts. A browser seen for the first
 * time is told by mail. Works as the system.
 */
export async function startSession(
  em: EntityManager,
  { personId, proofs, browser, before }: SignIn,
  now: Date,
): Promise<StartedSession> {
  if (before) await endSession(em, before);
  const person = await em.findOneOrFail(Person, { id: personId });
  await em.nativeUpdate(Member, { person: personId, status: 'active' }, { lastSeenAt: now });
  await logActOfPerson(em, personId, { kind: 'sign_in', operation: 'signIn' }, now);
  const cookie = randomText(LETTERS);
  const { ip, userAgent } = browser;
  em.create(PersonSession, {
    person,
    hash: hashSecret(cookie),
    proofs: [...proofs],
    provenAt: now,
    lastSeenAt: now,
    ip,
    userAgent: userAgent?.slice(0, 255) ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + IDLE_MILLISECONDS),
  });
  if ((await knownBrowser(em, { ...browser, email: person.email }, now)) !== null) return { cookie, device: null };
  const device = rememberBrowser(em, personId, now);
  tellPerson(em, { person, what: 'You signed in with a new browser', from: browserName(browser) }, now);
  return { cookie, device };
}

/** Id of the secret by which a browser is known as one of the person with this address; null: the person did not use it yet. */
export async function knownBrowser(
  em: EntityManager,
  { device, email }: { device: string | null; email: string },
  now: Date,
): Promise<number | null> {
  const known = device === null ? null : await findSecret(em, { purpose: 'device', secret: device }, now);
  const person = known?.person ? await em.findOne(Person, { id: known.person.id, email }) : null;
  return known && person ? known.id : null;
}

/** Makes a browser one of the person's. Returns its cookie. */
export const rememberBrowser = (em: EntityManager, personId: number, now: Date): string =>
  newSecret(em, { purpose: 'device', personId }, now);

/** A browser as persons read it: "Firefox on Linux, 192.0.2.1". */
export const browserName = ({ ip, userAgent }: Pick<Browser, 'ip' | 'userAgent'>): string =>
  `${deviceName(userAgent)}, ${ip}`;

/** Program and system of a browser, as it names them: "Firefox on Linux". */
export function deviceName(userAgent: string | null): string {
  const agent = userAgent ?? '';
  const program = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(agent)?.[1] ?? 'A program';
  const system = /(Windows|Android|iPhone|iPad|Mac OS|CrOS|Linux)/.exec(agent)?.[1];
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS', CrOS: 'ChromeOS' };
  const named = (word: string) => names[word] ?? word;
  return `${named(program)}${system ? ` on ${named(system)}` : ''}`;
}

/** Whether this use of a session moves its end: at most one in a minute does. */
export const isExtended = ({ lastSeenAt }: Pick<FoundSession, 'lastSeenAt'>, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() >= MINUTE;

/** The session of a cookie; null: it has ended. Notes its use, at most once a minute, which moves its end. */
export async function useSession(em: EntityManager, cookie: string, now: Date): Promise<FoundSession | null> {
  const session = await findPersonSession(em, hashSecret(cookie), now);
  if (session && isExtended(session, now)) await extendSession(em, cookie, now);
  return session;
}

/** Notes the use of a session, which moves its end, at most to ninety days after the sign-in. */
export async function extendSession(em: EntityManager, cookie: string, now: Date): Promise<void> {
  const lifetimes = { idle: IDLE_MILLISECONDS, longest: LONGEST_SESSION_MILLISECONDS };
  await moveSessionEnd(em, { hash: hashSecret(cookie), ...lifetimes }, now);
}

/** Ends a session of a person. Does nothing if it has none with this id. */
export async function endSession(em: EntityManager, of: { personId: number; id: number }): Promise<void> {
  await em.nativeDelete(PersonSession, { person: of.personId, id: of.id });
}

/** Ends a session of a person on its request, which is logged in its accounts. False: it has none with this id. */
export async function revokeSession(
  em: EntityManager,
  { personId, id }: { personId: number; id: number },
  now: Date,
): Promise<boolean> {
  const ended = await em.nativeDelete(PersonSession, { person: personId, id });
  if (ended === 0) return false;
  const object = { type: 'session', id };
  await logActOfPerson(em, personId, { kind: 'change', operation: 'endSession', object }, now);
  return true;
}

/** The sessions of a person that have not ended, the one used last first. */
export function sessionsOf(em: EntityManager, personId: number, now: Date): Promise<PersonSession[]> {
  const order = { lastSeenAt: 'desc', id: 'desc' } as const;
  return em.find(PersonSession, { person: personId, expiresAt: { $gt: now } }, { orderBy: order, limit: MOST_SHOWN });
}

const SEEN_MILLISECONDS = 5 * MINUTE;

/** Notes that a member used an account in a browser, at most every five minutes. `seenAt`: when it was noted last. */
export async function noteSeen(
  em: EntityManager,
  { accountId, memberId, seenAt }: { accountId: number; memberId: number; seenAt: Date | null },
  now: Date,
): Promise<void> {
  if (seenAt && now.getTime() - seenAt.getTime() < SEEN_MILLISECONDS) return;
  await em.nativeUpdate(Member, { accountId, id: memberId }, { lastSeenAt: now });
}

/**
 * Ends all sessions of a person but one on its request, which is logged in its accounts. Its browsers are no longer known; returns a new
 * cookie for the one that asks, null if the person did not use it yet.
 */
export async function revokeOtherSessions(
  em: EntityManager,
  { personId, email, id, browser }: Pick<FoundSession, 'personId' | 'email' | 'id'> & { browser: Browser },
  now: Date,
): Promise<string | null> {
  const isKnown = (await knownBrowser(em, { ...browser, email }, now)) !== null;
  await endOtherSessions(em, { personId, keptId: id });
  await endSecrets(em, personId, ['device']);
  await logActOfPerson(em, personId, { kind: 'change', operation: 'endOtherSessions' }, now);
  return isKnown ? rememberBrowser(em, personId, now) : null;
}

/** Ends all sessions of a person but one. */
export async function endOtherSessions(em: EntityManager, of: { personId: number; keptId: number }): Promise<void> {
  await em.nativeDelete(PersonSession, { person: of.personId, id: { $ne: of.keptId } });
}

/** The value that scripts send with each write, so that no other site can write with the cookie. */
export const csrfOf = (cookie: string): string => hashSecret(`csrf:${cookie}`);
