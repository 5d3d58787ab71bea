import { checkPassword } from '../../../../commands/accounts/members.ts';
import { findClient, type OauthClient } from '../../../../db/queries/accounts/oauth.ts';
import { forgetCount } from '../../../../db/queries/accounts/throttle.ts';
import { button, field, form, hidden } from '../../kit/forms.ts';
import { type Html, html } from '../../kit/html.ts';
import { alert, notice } from '../../kit/parts.ts';
import { seeOther } from '../../kit/posted.ts';
import { formToken, readForm } from '../forms.ts';
import type { PageContext, PageHandler, Site } from '../place.ts';
import { returnPath } from '../returning.ts';
import { signedIn, signIn, signOut } from '../session.ts';
import { countTry, throttleKey } from '../throttle.ts';
import { showPage } from './layout.ts';

interface Shown {
  returnTo: string;
  status: number;
  email?: string;
  problem?: string;
}

export const showSignIn: PageHandler = async (site, ctx) => {
  const returnTo = returnPath(site.place, ctx.query.return_to);
  await show(site, ctx, { returnTo, status: 200 });
};

export const takeSignIn: PageHandler = async (site, ctx) => {
  const { email = '', password = '', return_to } = await readForm(site, ctx);
  const returnTo = returnPath(site.place, return_to);
  await countTry(site.storing, 'sign_in_address', ctx.ip);
  const here = `${ctx.ip} ${email.trim()}`;
  await countTry(site.storing, 'sign_in_identity_at_address', here);
  const member = await checkPassword(site.storing.em(), { email, password });
  if (!member) {
    await countTry(site.storing, 'sign_in_identity', email);
    return show(site, ctx, { returnTo, email, status: 401, problem: 'Email and password do not match.' });
  }
  await forgetCount(site.storing.em(), throttleKey(site.storing, 'sign_in_identity_at_address', here));
  await signIn(site, ctx, member.id);
  seeOther(ctx, returnTo);
};

/** Ends the session. During an authorization, the person can then sign in as somebody else and continue. */
export const takeSignOut: PageHandler = async (site, ctx) => {
  const { return_to } = await readForm(site, ctx);
  await signOut(site, ctx);
  const query = new URLSearchParams({ return_to: returnPath(site.place, return_to) });
  seeOther(ctx, `${site.place.prefix}/oauth/sign_in?${query}`);
};

const PROBLEM = 'problem';

async function show(site: Site, ctx: PageContext, shown: Shown): Promise<void> {
  const { returnTo, status, problem } = shown;
  const client = await clientOf(site, returnTo);
  const already = status === 200 ? await signedIn(site, ctx) : null;
  const fields = html`${formToken(site, ctx)}${hidden('return_to', returnTo)}${credentials(shown)}`;
  const main = html`<h1>Sign in</h1>
${reason(client)}
${problem ? alert(problem, PROBLEM) : null}
${already ? notice(html`Signed in as ${already.email}. <a href="${returnTo}">Continue</a>`) : null}
${form(`${site.place.prefix}/oauth/sign_in`, html`${fields}${button('Sign in', 'primary')}`)}`;
  showPage(ctx, site.place, { title: 'Sign in', main, status, formTargets: client?.redirectUris ?? [] });
}

function credentials({ email = '', problem }: Shown): Html {
  const isKnown = email !== '';
  const given = { hint: null, problem: problem ? PROBLEM : null };
  const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' } as const;
  const address = { name: 'email', label: 'Email', type: 'email', autocomplete: 'username' } as const;
  return html`${field({ ...address, ...given, value: email, maxLength: 255, isFocused: !isKnown })}
${field({ ...password, ...given, value: '', maxLength: 256, isFocused: isKnown })}`;
}

function reason(client: OauthClient | null): Html {
  return client
    ? html`<p class="lead">to continue to <strong>${client.name}</strong></p>`
    : html`<p class="lead">to manage OAuth applications</p>`;
}

/** The application that a person is about to authorize; null when there is none. */
async function clientOf({ storing, place }: Site, returnTo: string): Promise<OauthClient | null> {
  const clientId = new URL(returnTo, 'http://here').searchParams.get('client_id');
  return clientId === null ? null : findClient(storing.em(), { clientId, environment: place.environment });
}
