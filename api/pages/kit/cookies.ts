import type { Context } from 'koa';

/** Where cookies belong. */
interface Site {
  publicUrl: string;
}

type CookieContext = Pick<Context, 'cookies'>;

/** The name of a cookie. Over https it belongs to this host alone (`__Host-`). */
export function cookieName({ publicUrl }: Site, name: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}perennial_${name}`;
}

/**
 * Sets a cookie that scripts cannot read and that other sites' forms do not send. `value` null removes it. `milliseconds` absent: it lasts as long
 * as the browser is open.
 */
export function setPageCookie(
  site: Site,
  ctx: CookieContext,
  { name, value, milliseconds }: { name: string; value: string | null; milliseconds?: number | undefined },
): void {
  ctx.cookies.secure = site.publicUrl.startsWith('https:');
  const lasting = milliseconds === undefined || value === null ? {} : { maxAge: milliseconds };
  ctx.cookies.set(name, value, { httpOnly: true, sameSite: 'lax', path: '/', ...lasting });
}
