import type { Context } from 'koa';
import { hasTwoFactors } from '../../billing/people/proofs.ts';
import { Refusal } from '../../billing/refusal.ts';
import { hashSecret } from '../../commands/kernel/secrets.ts';
import { csrfOf, extendSession, isExtended, noteSeen } from '../../commands/people/sessions.ts';
import { findSessionCredential } from '../../db/queries/accounts/apiKeys.ts';
import { asSystem, findingTenant } from '../../db/tenant.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { Forbidden, Unauthorized } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { createGoodCredentials } from '../limits/credentials.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { logForeignRequest } from '../pages/people/refused.ts';
import { cookieOf, setCookie } from '../pages/people/site.ts';
import { logRefusedCredential } from './refusals.ts';

/** Header with the id of the live account for which a session acts. The environment is in the path, as for keys. */
const ACCOUNT_HEADER = 'Perennial-Account';
const CSRF_HEADER = 'X-CSRF-Token';
const READING = new Set(['GET', 'HEAD']);

type Request = Context & { state: ApiState };

/**
 * Finds the credential of a request that a page of ours sent with its session cookie. Null: there is no cookie. A page of another site can
 * neither read, because browsers say where a request comes from, nor write, because it does not know the CSRF token.
 */
export function sessionCredential(
  deps: ApiDeps,
): (ctx: Request) => Promise<Pick<ApiState, 'em' | 'credential' | 'csrfToken'> | null> {
  const limit = createVisitorLimit(deps);
  const good = createGoodCredentials();
  const origin = new URL(deps.publicUrl).origin;
  return async (ctx) => {
    const cookie = cookieOf({ deps }, ctx, 'session');
    if (ctx.state.environment === undefined) return null;
    if (cookie === null) {
      if (ctx.get(ACCOUNT_HEADER) === '' || ctx.get('Authorization') !== '') return null;
      throw new Unauthorized('Nobody is signed in', 'Session'); // a challenge for a key would open a dialog of the browser
    }
    const hash = hashSecret(cookie);
    if (!good.has(hash)) limit.refuseOver(ctx, 'invalid_credential');
    const { downloadFrom } = ctx.state;
    const accountText = String(downloadFrom ?? ctx.get(ACCOUNT_HEADER));
    const isAccountId = /^\d{1,9}$/.test(accountText);
    const foreign = downloadFrom === undefined ? whyForeign(ctx, { cookie, origin }) : null;
    if (foreign !== null) {
      const isKnown = await logForeignRequest(
        deps,
        { cookie, onlyIn: isAccountId ? Number(accountText) : null },
        foreign,
      );
      if (!isKnown) await limit(ctx, 'invalid_credential');
      throw new Forbidden(foreign);
    }
    if (!isAccountId)
      throw new Refusal('parameter_missing', `${ACCOUNT_HEADER} must be the id of an account`, ACCOUNT_HEADER);
    const em = deps.em.fork();
    const now = deps.systemNow();
    const wanted = { hash, accountId: Number(accountText), environment: ctx.state.environment };
    const credential = await findingTenant(() => findSessionCredential(em, wanted, now));
    good.note(hash, credential !== null);
    if (!credential) {
      await limit(ctx, 'invalid_credential');
      throw new Unauthorized('The session has ended, or is not that of a member of this account', 'Session');
    }
    const { session, lastUsedAt } = credential;
    if (session?.needsTwoFactors && !hasTwoFactors(session.proofs)) {
      const refusal = new Forbidden('This account demands a second factor', { code: 'second_factor_required' });
      await logRefusedCredential(deps, credential, { operation: 'authenticate', reason: refusal.message });
      throw refusal;
    }
    if (lastUsedAt && isExtended({ lastSeenAt: lastUsedAt }, now)) {
      await asSystem(() => extendSession(deps.em.fork(), cookie, now));
      setCookie({ deps }, ctx, ['session', cookie]);
    }
    if (session && credential.member) {
      const seen = { accountId: wanted.accountId, memberId: credential.member.id, seenAt: session.memberSeenAt };
      await asSystem(() => noteSeen(deps.em.fork(), seen, now));
    }
    return { em, credential, csrfToken: csrfOf(cookie) };
  };
}

/** Why a request does not come from a page of ours; null: it does. */
function whyForeign(ctx: Request, { cookie, origin }: { cookie: string; origin: string }): string | null {
  if (READING.has(ctx.method))
    return ctx.get('Sec-Fetch-Site') === 'same-origin' ? null : 'Only pages of this site can read with a session';
  if (ctx.get('Origin') !== origin) return 'Only pages of this site can write with a session';
  return ctx.get(CSRF_HEADER) === csrfOf(cookie) ? null : `${CSRF_HEADER} is missing or not that of the session`;
}
