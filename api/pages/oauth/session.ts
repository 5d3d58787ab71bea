import { findMember, type SignedIn } from '../../../db/queries/accounts/members.ts';
import { seeOther } from '../kit/posted.ts';
import {
  cookieNames,
  isSecure,
  type MemberHandler,
  type PageContext,
  type PageHandler,
  SESSION_SECONDS,
  type Site,
} from './place.ts';

/** The member who is signed in in this browser; null if nobody is. */
export async function signedIn({ provider, place, storing }: Site, ctx: PageContext): Promise<SignedIn | null> {
  const { accountId } = await provider.Session.get(provider.createContext(ctx.req, ctx.res));
  if (accountId === undefined) return null;
  return findMember(storing.em(), { memberId: Number(accountId), environment: place.environment });
}

/** Signs a member in. The session is new, and nothing of an earlier one is reused, not even its cookie. */
export async function signIn(site: Site, ctx: PageContext, memberId: number): Promise<void> {
  await endSession(site, ctx);
  const session = new site.provider.Session();
  session.loginAccount({ accountId: String(memberId) });
  await session.save(SESSION_SECONDS);
  setCookie(site, ctx, session.jti);
}

export async function signOut(site: Site, ctx: PageContext): Promise<void> {
  await endSession(site, ctx);
  setCookie(site, ctx, null);
}

async function endSession({ provider }: Site, ctx: PageContext): Promise<void> {
  const session = await provider.Session.get(provider.createContext(ctx.req, ctx.res));
  if (session.accountId !== undefined) await session.destroy();
}

function setCookie(site: Site, ctx: PageContext, value: string | null): void {
  const { session } = cookieNames(site.place);
  ctx.cookies.secure = isSecure(site);
  ctx.cookies.set(session, value, {
    httpOnly: true,
    sameSite: 'lax',
    path: `${site.place.prefix}/oauth`,
    ...(value === null ? {} : { maxAge: SESSION_SECONDS * 1000 }),
  });
}

/** A page for members. Others are redirected to sign in, and then get to the page of applications. */
export function forMembers(handler: MemberHandler): PageHandler {
  return async (site, ctx, rest) => {
    const member = await signedIn(site, ctx);
    if (member) return handler(site, ctx, { member, rest });
    seeOther(ctx, `${site.place.prefix}/oauth/sign_in`);
  };
}
