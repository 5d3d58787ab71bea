import { type SellerHead, visitorHead } from '../../../commands/documents/sellerHead.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Account } from '../../../db/schema/account.ts';
import { asSystem } from '../../../db/tenant.ts';
import { spokenOf } from '../../../words/languages.ts';
import type { PortalWords } from '../../../words/portal/wording.ts';
import { portalWordsOf } from '../../../words/portal/words.ts';
import { fill } from '../../../words/text.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { clientAddress, networkOf } from '../../limits/clientAddress.ts';
import type { VisitorLimit } from '../../limits/visitorLimit.ts';
import { cookieName, setPageCookie } from '../kit/cookies.ts';
import type { Html } from '../kit/html.ts';
import { formToken, type PageContext, type PeopleSite } from '../people/site.ts';
import { countTo, type Limit } from '../people/throttle.ts';

/** Nothing is at the address: the visitor sees that the page is missing. */
export class NothingThere extends Error {
  override readonly name = 'NothingThere';
}

/** What the portal works with. */
export interface PortalSite extends PeopleSite {
  deps: ApiDeps;
  limit: VisitorLimit;
}

/** A request to the portal of an account, before anybody is known. */
export interface PortalGuest {
  site: PortalSite;
  ctx: PageContext;
  em: EntityManager;
  account: Account;
  head: SellerHead;
  words: PortalWords;
  /** The path of the portal. */
  root: string;
}

export const portalPath = (accountId: number): string => `/portal/${accountId}`;

/** The seller of a portal in a language that the browser asks for. */
export async function guestOf(
  site: PortalSite,
  ctx: PageContext,
  { em, account }: { em: EntityManager; account: Account },
): Promise<PortalGuest> {
  const wanted = ctx.acceptsLanguages();
  const language = spokenOf(wanted.includes('*') ? [account.language] : wanted);
  const head = await visitorHead(em, account, { language });
  return { site, ctx, em, account, head, words: portalWordsOf(head.language), root: portalPath(account.id) };
}

/** Fills in the seller's name, which is isolated from the direction of the text around it, and further texts of people. */
export function said({ head }: PortalGuest, text: string, values: Readonly<Record<string, string>> = {}): string {
  const own = Object.entries(values).map(([name, value]) => [name, head.pen.own(value)] as const);
  return fill(text, { seller: head.seller.name, ...Object.fromEntries(own) });
}

/** The cookie of a session; each account has its own. */
const sessionCookie = (site: PortalSite, accountId: number): string => cookieName(site.deps, `portal_${accountId}`);

export function sessionOf({ site, ctx, account }: Pick<PortalGuest, 'site' | 'ctx' | 'account'>): string | null {
  return ctx.cookies.get(sessionCookie(site, account.id)) ?? null;
}

/** Sets the cookie of a session; null removes it. */
export function keepSession({ site, ctx, account }: PortalGuest, value: string | null, milliseconds?: number): void {
  setPageCookie(site.deps, ctx, { name: sessionCookie(site, account.id), value, milliseconds });
}

const browserCookie = (site: PortalSite): string => cookieName(site.deps, 'portal_browser');

/** The cookie by which a browser that asked for a link is known. */
export function knownBrowser({ site, ctx }: Pick<PortalGuest, 'site' | 'ctx'>): string | null {
  return ctx.cookies.get(browserCookie(site)) ?? null;
}

export function keepBrowser({ site, ctx }: PortalGuest, value: string, milliseconds: number): void {
  setPageCookie(site.deps, ctx, { name: browserCookie(site), value, milliseconds });
}

/** The browser of a request, as sessions name it. */
export function browserOf({ site, ctx }: Pick<PortalGuest, 'site' | 'ctx'>): { ip: string; userAgent: string | null } {
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), site.proxies);
  return { ip, userAgent: ctx.get('User-Agent') || null };
}

/** Hidden fields of every form of the portal. */
export const formFields = ({ site, ctx }: Pick<PortalGuest, 'site' | 'ctx'>): Html => formToken(site, ctx);

/**
 * Limits on tries without a session, over all processes: per network of the visitor, or per claimed identity in an account. An identity has its
 * limit in each network, so that strangers do not lock its owner out, and a wider one over all networks, so that they do not fill its mailbox.
 */
const limits = {
  sign_in_address: { most: 30, seconds: 3600, isByNetwork: true },
  sign_in_identity_at_address: { most: 5, seconds: 3600, isByNetwork: true },
  sign_in_identity: { most: 25, seconds: 3600, isByNetwork: false },
  link_address: { most: 60, seconds: 600, isByNetwork: true },
  email_change: { most: 5, seconds: 3600, isByNetwork: false },
} as const satisfies Record<string, Limit & { isByNetwork: boolean }>;

/** Counts a try. `identity`: the one that is claimed. Throws TooManyTries when it exceeds the limit. */
export async function countPortalTry(
  { site, ctx, account }: PortalGuest,
  name: keyof typeof limits,
  identity = '',
): Promise<void> {
  const network = limits[name].isByNetwork ? networkOf(browserOf({ site, ctx }).ip) : '';
  const claimed = identity === '' ? '' : `${account.id} ${identity}`;
  const who = [network, claimed].filter((part) => part !== '').join(' ');
  const { em, systemNow } = site.deps;
  await asSystem(() => countTo(limits[name], `portal:${name}:${who}`, { em: () => em.fork(), systemNow }));
}

/** The page below the portal to which a sign-in returns; empty: the overview. Prevents open redirects. */
export function returnPart(wanted: unknown): string {
  return typeof wanted === 'string' && /^[a-z][a-z0-9_/-]{0,100}(\?[a-z0-9_=&.,%+-]{0,1500})?$/i.test(wanted)
    ? wanted
    : '';
}

export const signInPath = (root: string, part: string): string =>
  part === '' ? `${root}/sign_in` : `${root}/sign_in?${new URLSearchParams({ return_to: part })}`;
