import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { BlockList } from 'node:net';
import type { Middleware } from 'koa';
import { hasTwoFactors } from '../../../billing/people/proofs.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { type Browser, isExtended, useSession } from '../../../commands/people/sessions.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type FoundSession, type Membership, membershipsOf } from '../../../db/queries/accounts/people.ts';
import { refuseNulInBody } from '../../body/nul.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { clientAddress, networkOf } from '../../limits/clientAddress.ts';
import { bodyReader } from '../../limits/receiving.ts';
import { cookieName, setPageCookie } from '../kit/cookies.ts';
import { hidden } from '../kit/forms.ts';
import type { Html } from '../kit/html.ts';
import { logForeignRequest } from './refused.ts';

export type PageContext = Parameters<Middleware<ApiState>>[0];

/** What the pages of people work with. */
export interface PeopleSite {
  deps: ApiDeps;
  proxies: BlockList;
}

/** The names of cookies. */
export function cookieNames(site: Pick<ApiDeps, 'publicUrl'>) {
  return {
    session: cookieName(site, 'person'),
    device: cookieName(site, 'device'),
    step: cookieName(site, 'step'),
    form: cookieName(site, 'form'),
  };
}

type CookieName = keyof ReturnType<typeof cookieNames>;

const DAY = 86_400_000;
const LIFETIMES: Readonly<Partial<Record<CookieName, number>>> = { session: 14 * DAY, device: 365 * DAY };

/** Sets a cookie; null removes it. */
export function setCookie(
  { deps }: Pick<PeopleSite, 'deps'>,
  ctx: PageContext,
  [name, value]: [CookieName, string | null],
): void {
  setPageCookie(deps, ctx, { name: cookieNames(deps)[name], value, milliseconds: LIFETIMES[name] });
}

export function cookieOf({ deps }: Pick<PeopleSite, 'deps'>, ctx: PageContext, name: CookieName): string | null {
  return ctx.cookies.get(cookieNames(deps)[name]) ?? null;
}

/** The person who is signed in in this browser; null: nobody is. */
export async function signedIn(site: Pick<PeopleSite, 'deps'>, ctx: PageContext): Promise<FoundSession | null> {
  const cookie = cookieOf(site, ctx, 'session');
  if (cookie === null) return null;
  const now = site.deps.systemNow();
  const session = await useSession(site.deps.em.fork(), cookie, now);
  if (session && isExtended(session, now)) setCookie(site, ctx, ['session', cookie]); // it lives as long as the session
  return session;
}

/** The memberships that a session may use: not those of accounts that demand a second factor which it did not prove. */
export async function usableMemberships(em: EntityManager, session: FoundSession): Promise<Membership[]> {
  const all = await membershipsOf(em, session.personId);
  return all.filter(({ needsTwoFactors }) => !needsTwoFactors || hasTwoFactors(session.proofs));
}

/** The browser of a request, as sessions and mails name it. */
export function browserOf(site: PeopleSite, ctx: PageContext): Browser {
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), site.proxies);
  return { ip, userAgent: ctx.get('User-Agent') || null, device: cookieOf(site, ctx, 'device') };
}

/** The visitor as limits count it: an IPv6 address by its /64 network. */
export const visitorOf = (site: PeopleSite, ctx: PageContext): string => networkOf(browserOf(site, ctx).ip);

/** The form does not come from our pages in the same browser: the CSRF check failed. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm';
}

/** Writes a form that is not ours to the audit log, if somebody is signed in. */
export async function noteForeignForm(
  { deps }: Pick<PeopleSite, 'deps'>,
  ctx: PageContext,
  error: unknown,
): Promise<void> {
  const cookie = error instanceof ForeignForm ? cookieOf({ deps }, ctx, 'session') : null;
  if (error instanceof ForeignForm && cookie !== null)
    await logForeignRequest(deps, { cookie, onlyIn: null }, error.message);
}

export type Form = Readonly<Record<string, string>>;

const TOKEN_BYTES = 24;
const TOKEN_FIELD = 'form_token';

/** The hidden field with the CSRF token. A cookie holds the same secret. */
export function formToken(site: PeopleSite, ctx: PageContext): Html {
  const known = ctx.state.formToken ?? cookieOf(site, ctx, 'form');
  if (known) return hidden(TOKEN_FIELD, known);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  setCookie(site, ctx, ['form', token]);
  ctx.state.formToken = token; // for the other forms of the page
  return hidden(TOKEN_FIELD, token);
}

/** Throws a Refusal for a form that is too large, deep or malformed. Our pages never send one. */
const readBody = bodyReader({
  urlencoded: true,
  formLimit: '64kb',
  onError: (error) => {
    throw new Refusal('body_invalid', `The form could not be read: ${error.message}`);
  },
});

/** Reads a form of our pages. Throws ForeignForm when the CSRF check fails, and a Refusal for a null character. */
export async function readForm(site: PeopleSite, ctx: PageContext): Promise<Form> {
  const origin = ctx.get('Origin');
  if (origin !== '' && origin !== new URL(site.deps.publicUrl).origin)
    throw new ForeignForm('The form came from elsewhere');
  if (ctx.is('urlencoded') === false) throw new ForeignForm('The form could not be read');
  const body = await readBody(ctx);
  const fields = Object.entries(typeof body === 'object' && body !== null ? body : {});
  const form = Object.fromEntries(fields.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
  refuseNulInBody(form);
  const cookie = cookieOf(site, ctx, 'form');
  if (!cookie || !isSame(cookie, form[TOKEN_FIELD] ?? '')) throw new ForeignForm('The form has expired');
  return form;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(one)), Buffer.from(hashSecret(other)));
}

/** First parts of the paths to which a sign-in may return. */
const OURS = new Set([
  'accounts',
  'dashboard',
  'security',
  'connected_apps',
  'oauth',
  'sandbox',
  'invitations',
  'downloads',
  'sign_up',
  'dashboard',
]);
/** Where a sign-in leads that began nowhere. */
export const HOME = '/accounts';

/** Path to return to after signing in: one of our pages. Prevents open redirects. */
export function returnPath(wanted: unknown): string {
  const base = 'http://here';
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, base)) return HOME;
  const { origin, pathname, search } = new URL(wanted, base);
  const [, first = ''] = pathname.split('/');
  return origin === base && OURS.has(first) ? `${pathname}${search}` : HOME;
}

/** Address of the sign-in page, which returns to a path. */
export function signInPath(returnTo: string): string {
  return `/sign_in?${new URLSearchParams({ return_to: returnTo })}`;
}
