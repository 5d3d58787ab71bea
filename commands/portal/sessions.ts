import {
  mayDo,
  neededToOpen,
  PORTAL_SESSION_LIFETIMES,
  type PortalRights,
  SEEN_AGAIN_AFTER,
} from '../../billing/people/portal.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  endEmailChanges,
  type FoundPortalSession,
  findPortalSession,
  holdersOf,
  noteSeen,
  permissionsOfMaker,
  rightsOf,
} from '../../db/queries/portal/sessions.ts';
import { Customer } from '../../db/schema/customer.ts';
import { type PortalMaker, PortalSession } from '../../db/schema/portal.ts';
import { type ActingParty, logAct, logRefusal, partyOf } from '../kernel/auditLog.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import { takePortalLink } from './links.ts';

const LETTERS = 43;
const LONGEST_AGENT = 255;

/** Somebody in the portal of a customer. */
export interface PortalVisitor {
  accountId: number;
  session: FoundPortalSession;
  /** What it may do. A read-only session, and one of the account's product, may do less than these rights say: `canWrite`, `managesPeople`. */
  rights: PortalRights;
}

/** Whether a visitor may write what needs these rights. */
export function canWrite({ session, rights }: PortalVisitor, needed: PortalRights): boolean {
  return mayDo(rights, needed) && session.maker?.isReadOnly !== true;
}

/** Whether a visitor may change email addresses and people. A session that the account's product opened never may. */
export function managesPeople(visitor: PortalVisitor): boolean {
  return canWrite(visitor, 'manage') && visitor.session.maker === null;
}

interface Browser {
  ip: string;
  userAgent: string | null;
}

/** Signs in by a mailed link, which it uses up. Null: the link has ended, or its address is nobody's any more. */
export async function signInByLink(
  em: EntityManager,
  { accountId, secret, browser }: { accountId: number; secret: string; browser: Browser },
  systemNow: Date,
): Promise<{ cookie: string; customers: number } | null> {
  const link = await takePortalLink(em, { accountId, purpose: 'sign_in', secret }, systemNow);
  if (!link?.email) return null;
  const holders = await holdersOf(em, { accountId, email: link.email });
  const [first] = holders;
  if (!first) return null;
  const of = { accountId, customerId: first.customerId, email: link.email, maker: null };
  const cookie = await newSession(em, { ...of, browser }, systemNow);
  const by = { actor: 'customer', actorId: first.customerId } as const;
  logAct(em, { accountId, by, kind: 'sign_in', operation: 'signInToPortal' }, systemNow);
  return { cookie, customers: holders.length };
}

/** Opens a session by a link of the account's product, which it uses up. Null: the link has ended, or its key. */
export async function openByLink(
  em: EntityManager,
  { accountId, secret, browser }: { accountId: number; secret: string; browser: Browser },
  systemNow: Date,
): Promise<string | null> {
  const link = await takePortalLink(em, { accountId, purpose: 'session', secret }, systemNow);
  if (!link?.maker) return null;
  const { maker } = link;
  const customerId = link.customer.id;
  if (!(await mayOpen(em, { accountId, customerId, maker }, systemNow))) return null;
  const cookie = await newSession(em, { accountId, customerId, email: null, maker, browser }, systemNow);
  const operation = maker.isReadOnly ? 'openPortalReadOnly' : 'openPortal';
  const object = { type: 'customer', id: customerId };
  const by = partyOf(maker.credential, maker.memberId);
  logAct(em, { accountId, by, kind: 'sign_in', operation, object }, systemNow);
  return cookie;
}

async function newSession(
  em: EntityManager,
  of: Pick<FoundPortalSession, 'customerId' | 'email' | 'maker'> & { accountId: number; browser: Browser },
  systemNow: Date,
): Promise<string> {
  const { accountId, customerId, email, maker, browser } = of;
  const { portal_session: id } = await reserveIds(em, 'portal_session');
  const cookie = randomText(LETTERS);
  em.create(PortalSession, {
    accountId,
    id,
    customer: em.getReference(Customer, [accountId, customerId]),
    hash: hashSecret(cookie),
    email,
    maker,
    ip: browser.ip,
    userAgent: browser.userAgent?.slice(0, LONGEST_AGENT) ?? null,
    createdAt: systemNow,
    lastSeenAt: systemNow,
    expiresAt: new Date(systemNow.getTime() + PORTAL_SESSION_LIFETIMES[maker ? 'product' : 'mail']),
  });
  return cookie;
}

/** Whether the credential that made a link could make it now. */
async function mayOpen(
  em: EntityManager,
  of: { accountId: number; customerId: number; maker: PortalMaker },
  systemNow: Date,
): Promise<boolean> {
  const held = await permissionsOfMaker(em, of, systemNow);
  return held !== null && neededToOpen(of.maker).every((needed) => held.includes(needed));
}

/**
 * Who visits with a cookie. Each request asks: an address that left the customer, a contact that lost its role, and a key, grant or member that
 * could not open the session any more end it at once. Null: nobody.
 */
export async function portalVisitor(
  em: EntityManager,
  { accountId, cookie }: { accountId: number; cookie: string },
  systemNow: Date,
): Promise<PortalVisitor | null> {
  const session = await findPortalSession(em, { accountId, hash: hashSecret(cookie) }, systemNow);
  if (!session) return null;
  const rights = await rightsIn(em, { accountId, ...session }, systemNow);
  if (!rights) return null;
  if (systemNow.getTime() - session.lastSeenAt.getTime() >= SEEN_AGAIN_AFTER)
    await noteSeen(em, { accountId, id: session.id }, systemNow);
  return { accountId, session, rights };
}

/** What the holder of a session may do now. Null: nothing. */
async function rightsIn(
  em: EntityManager,
  {
    accountId,
    customerId,
    email,
    maker,
  }: Pick<FoundPortalSession, 'customerId' | 'email' | 'maker'> & { accountId: number },
  systemNow: Date,
): Promise<PortalRights | null> {
  if (email !== null) return rightsOf(em, { accountId, customerId, email });
  return maker && (await mayOpen(em, { accountId, customerId, maker }, systemNow)) ? 'manage' : null;
}

/** Lets a session show another customer of its address. False: the address has none with this id. */
export async function chooseCustomer(
  em: EntityManager,
  { accountId, session }: PortalVisitor,
  customerId: number,
  systemNow: Date,
): Promise<boolean> {
  const { email, id } = session;
  if (email === null || !(await rightsOf(em, { accountId, customerId, email }))) return false;
  if (session.customerId === customerId) return true;
  await em.nativeUpdate(PortalSession, { accountId, id }, { customer: [accountId, customerId] });
  const by = { actor: 'customer', actorId: customerId } as const;
  const object = { type: 'customer', id: customerId };
  logAct(em, { accountId, by, kind: 'change', operation: 'chooseCustomerInPortal', object }, systemNow);
  return true;
}

/**
 * Ends a session. `everywhere`: all sessions of its address in the account and, if it may change addresses, changes of the customer's address that wait
 * to be confirmed.
 */
export async function endPortalSession(
  em: EntityManager,
  visitor: PortalVisitor,
  { everywhere }: { everywhere: boolean },
): Promise<void> {
  const { accountId, session } = visitor;
  const { id, email, customerId } = session;
  if (everywhere && managesPeople(visitor)) await endEmailChanges(em, { accountId, customerId });
  await em.nativeDelete(PortalSession, everywhere && email !== null ? { accountId, email } : { accountId, id });
}

/** Who acts in a portal, for the audit log: the customer, or the key of the account's product. */
export function partyInPortal({ session: { customerId, maker } }: PortalVisitor): ActingParty {
  return maker ? partyOf(maker.credential, maker.memberId) : { actor: 'customer', actorId: customerId };
}

/** Writes to the audit log that a session was refused a write: it only reads, or its holder may not. */
export async function logRefusedInPortal(
  em: EntityManager,
  visitor: PortalVisitor,
  { operation, reason }: { operation: string; reason: string },
  systemNow: Date,
): Promise<void> {
  const { accountId, session } = visitor;
  const object = { type: 'customer', id: session.customerId };
  await logRefusal(
    em,
    { accountId, by: partyInPortal(visitor), kind: 'refusal', operation, object, reason },
    systemNow,
  );
}
