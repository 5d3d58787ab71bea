import { randomInt } from 'node:crypto';
import {
  isRegisteredReturn,
  MOST_WRONG_CODES,
  neededToOpen,
  PORTAL_LINK_LIFETIMES,
  type PortalLinkPurpose,
} from '../../billing/people/portal.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { addPortalTry, holdersOf } from '../../db/queries/portal/sessions.ts';
import type { Account } from '../../db/schema/account.ts';
import { Customer } from '../../db/schema/customer.ts';
import { PortalLink } from '../../db/schema/portal.ts';
import { portalSignInEmail } from '../../present/emails/portal.ts';
import { isDashboardUrl, portalUrl } from '../../present/kernel/links.ts';
import { type Caller, requirePermission, systemCallerOf } from '../kernel/caller.ts';
import { lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { hashSecret, randomText } from '../kernel/secrets.ts';
import { queueEmail } from '../mail/emails.ts';

const LETTERS = 43;
const CODE_DIGITS = 6;

type NewLink = Pick<PortalLink, 'purpose'> &
  Partial<Pick<PortalLink, 'email' | 'browserHash' | 'codeHash' | 'maker'>> & { customer: Customer };

/** Writes a link that works once. Its secret is given, because pages and mails hold it; the database stores only its hash. */
export async function newPortalLink(
  em: EntityManager,
  { customer, purpose, ...more }: NewLink & { secret: string },
  systemNow: Date,
): Promise<PortalLink> {
  const { secret, ...held } = more;
  const { portal_link: id } = await reserveIds(em, 'portal_link');
  return em.create(PortalLink, {
    email: null,
    browserHash: null,
    codeHash: null,
    maker: null,
    ...held,
    accountId: customer.accountId,
    id,
    customer,
    purpose,
    hash: hashSecret(secret),
    createdAt: systemNow,
    expiresAt: new Date(systemNow.getTime() + PORTAL_LINK_LIFETIMES[purpose]),
  });
}

export const newPortalSecret = (): string => randomText(LETTERS);

/** A code that a person types from one browser into another. */
export const newPortalCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');

/** Codes are short, so they are hashed with the secret of their link. */
const codeHashOf = (secret: string, code: string): string => hashSecret(`portal code ${secret} ${code}`);

export interface AskedSignIn {
  account: Account;
  email: string;
  /** The secret of the link, the code that another browser needs, and the cookie of the browser that asks. */
  secret: string;
  code: string;
  browser: string;
  /** The page below the portal to which the sign-in returns; empty: the overview. */
  returnTo: string;
}

/**
 * Queues a mail with a link that signs in, if the address is that of a customer or of a contact with a role. It waits for no lock of the customer,
 * so that its time tells nothing. False: it is nobody's.
 */
export async function queuePortalSignIn(em: EntityManager, asked: AskedSignIn, systemNow: Date): Promise<boolean> {
  const { account, secret, code, browser } = asked;
  const accountId = account.id;
  const email = asked.email.toLowerCase();
  const [first] = await holdersOf(em, { accountId, email });
  if (!first) return false;
  const customer = await em.findOneOrFail(Customer, { accountId, id: first.customerId }, { populate: ['testClock'] });
  const hashes = { browserHash: hashSecret(browser), codeHash: codeHashOf(secret, code) };
  const link = await newPortalLink(em, { customer, purpose: 'sign_in', email, secret, ...hashes }, systemNow);
  const onward = asked.returnTo === '' ? '' : `?${new URLSearchParams({ return_to: asked.returnTo })}`;
  const href = `${portalUrl(accountId)}/sign_in/${secret}${onward}`;
  const rendered = portalSignInEmail({ seller: account, customer, href });
  const to = { name: customer.name, email }; // as it was compared: other letters can have the same lower case
  // Mails of a test clock carry its time, but a person waits for this one.
  const cause = `portal_link:${link.id}`;
  const { testClock } = customer;
  const moment = { caller: systemCallerOf(account), now: testClock?.frozenAt ?? systemNow, systemNow };
  const context = { moment, customer, clockId: testClock?.id ?? null };
  queueEmail(em, context, { template: 'portal_sign_in_email', cause, to, rendered });
  return true;
}

interface Sought {
  accountId: number;
  purpose: PortalLinkPurpose;
  secret: string;
}

/** A link that still counts; null: there is none. It stays usable. */
export function findPortalLink(
  em: EntityManager,
  { accountId, purpose, secret }: Sought,
  systemNow: Date,
): Promise<PortalLink | null> {
  const of = { accountId, purpose, hash: hashSecret(secret), usedAt: null, expiresAt: { $gt: systemNow } };
  // So that its customer is not known to the ORM before it is locked.
  return em.findOne(PortalLink, of, { disableIdentityMap: true });
}

/** Uses a link up. Of two uses at the same time one gets it, the other null. */
export async function takePortalLink(em: EntityManager, sought: Sought, systemNow: Date): Promise<PortalLink | null> {
  const found = await findPortalLink(em, sought, systemNow);
  if (!found) return null;
  const { accountId, id } = found;
  const taken = await em.nativeUpdate(PortalLink, { accountId, id, usedAt: null }, { usedAt: systemNow });
  return taken === 1 ? found : null;
}

/** Whether a browser asked for a link itself. */
export const isAskedBy = ({ browserHash }: PortalLink, browser: string | null): boolean =>
  browser !== null && browserHash === hashSecret(browser);

/**
 * Whether a typed code is that of a link. Counts the try, in a transaction of its own: after five wrong codes the link has ended, also for tries
 * at the same time.
 */
export async function isPortalCode(
  em: EntityManager,
  link: PortalLink,
  typed: { secret: string; code: string },
): Promise<boolean> {
  const { accountId, id, codeHash } = link;
  if (!(await addPortalTry(em, { accountId, id, most: MOST_WRONG_CODES }))) return false;
  return codeHash === codeHashOf(typed.secret, typed.code.replaceAll(/\s/g, ''));
}

/** A link of the account's own product into the portal of a customer. */
export interface MadeLink {
  link: PortalLink;
  secret: string;
}

/**
 * Makes a link that opens the portal of a customer once, within five minutes, for the product of the account. Refuses a return address that is
 * not registered, and a caller that may not write what the session could. Throws Missing.
 */
export async function makePortalLink(
  em: EntityManager,
  input: { caller: Caller; customerId: number; returnUrl: string; isReadOnly: boolean },
  systemNow: Date,
): Promise<MadeLink> {
  const { caller, returnUrl, isReadOnly } = input;
  const { account, credential, member } = caller;
  for (const needed of neededToOpen({ isReadOnly })) requirePermission(caller, needed, 'read_only');
  const { customer } = await lockCustomer(em, input, systemNow);
  refuseAnonymous(customer);
  if (!setting(account, 'portal_enabled')) throw new Refusal('state_conflict', 'The portal is switched off');
  if (!isDashboardUrl(returnUrl) && !isRegisteredReturn(returnUrl, setting(account, 'portal_return_urls')))
    throw new Refusal(
      'parameter_invalid',
      'Return address is not among portal_return_urls of the account',
      'return_url',
    );
  if (!credential) throw new Error('a link into a portal was asked for without a credential');
  const secret = newPortalSecret();
  const maker = { credential, memberId: member?.id ?? null, isReadOnly, returnUrl };
  return { secret, link: await newPortalLink(em, { customer, purpose: 'session', maker, secret }, systemNow) };
}
