import { checkPassword } from '../../../../commands/accounts/members.ts';
import { findClient, type OauthClient } from '../../../../db/queries/accounts/oauthClients.ts';
import { forgetCount } from '../../../../db/queries/accounts/throttle.ts';
import { formToken, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { returnPath } from '../returning.ts';
import { signedIn, signIn, signOut } from '../session.ts';
import type { PageContext, PageHandler, Site } from '../site.ts';
import { countTry, throttleKey } from '../throttle.ts';
import { answerPage, formTarget } from './layout.ts';

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
  ctx.status = 303;
  ctx.redirect(returnTo);
};

/** Ends the session. A person in the middle of an authorization signs in as somebody else and continues. */
export const takeSignOut: PageHandler = async (site, ctx) => {
  const { return_to } = await readForm(site, ctx);
  await signOut(site, ctx);
  ctx.status = 303;
  ctx.redirect(
    `${site.place.prefix}/oauth/sign_in?${new URLSearchParams({ return_to: returnPath(site.place, return_to) })}`,
  );
};

async function show(site: Site, ctx: PageContext, { returnTo, status, email, problem }: Shown): Promise<void> {
  const client = await clientOf(site, returnTo);
  const already = status === 200 ? await signedIn(site, ctx) : null;
  const main = html`<h1>Sign in</h1>
${reason(client)}
${problem ? html`<p class="alert" role="alert" id="problem">${problem}</p>` : null}
${already ? html`<p class="note">Signed in as ${already.email}. <a href="${returnTo}">Go on</a></p>` : null}
<form method="post" action="${site.place.prefix}/oauth/sign_in">
${formToken(site, ctx)}
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required${email ? null : focused} maxlength="255" value="${email ?? ''}"${described(problem)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${email ? focused : null} maxlength="256"${described(problem)}>
<button class="primary">Sign in</button>
</form>`;
  const formTargets = (client?.redirectUris ?? []).map(formTarget);
  answerPage(ctx, { title: 'Sign in', main }, { place: site.place, status, formTargets });
}

const focused = html` autofocus`;

function described(problem: string | undefined): Html | null {
  return problem ? html` aria-describedby="problem" aria-invalid="true"` : null;
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
