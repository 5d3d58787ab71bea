/** First parts of the paths to which a sign-in may return. */
const OURS = new Set(['accounts', 'security', 'oauth', 'sandbox', 'invitations', 'dashboard']);
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
