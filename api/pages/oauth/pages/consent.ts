import { errors } from 'oidc-provider';
import type { SignedIn } from '../../../../db/queries/accounts/members.ts';
import { findClient, type OauthClient } from '../../../../db/queries/accounts/oauthClients.ts';
import { formToken, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { signInUrl } from '../returning.ts';
import { forMembers } from '../session.ts';
import type { PageContext, Site } from '../site.ts';
import { answerPage, formTarget } from './layout.ts';

/** An authorization that waits for consent. */
interface Asked {
  uid: string;
  client: OauthClient;
  scope: string;
  redirectUri: string;
  params: Readonly<Record<string, unknown>>;
  grantId: string | undefined;
}

async function askedOf({ provider, storing, place }: Site, ctx: PageContext, uid: string | undefined): Promise<Asked> {
  const { uid: known, params, prompt, grantId } = await provider.interactionDetails(ctx.req, ctx.res);
  const { client_id: clientId, scope, redirect_uri: redirectUri } = params;
  if (known !== uid || prompt.name !== 'consent') throw new errors.SessionNotFound('this authorization has ended');
  const client = await findClient(storing.em(), { clientId: String(clientId), environment: place.environment });
  if (!client) throw new errors.SessionNotFound('the application is gone');
  return { uid: known, client, scope: String(scope), redirectUri: String(redirectUri), params, grantId };
}

export const showConsent = forMembers(async (site, ctx, { member, rest }) => {
  const asked = await askedOf(site, ctx, rest[0]);
  const { client, redirectUri } = asked;
  const main = html`<h1><strong>${client.name}</strong> wants access to ${member.account.name}</h1>
<p class="lead">Made by ${client.business}</p>
<h2>It will be able to</h2>
<ul class="scopes">${abilities(asked.scope)}</ul>
<p class="quiet">You can end this access at any time. You will be sent to <span class="host">${formTarget(redirectUri)}</span>.</p>
<form method="post" action="${site.place.prefix}/oauth/consent/${asked.uid}" class="choice">
${formToken(site, ctx)}
<button class="primary" name="answer" value="allow">Allow access</button>
<button name="answer" value="deny">Cancel</button>
</form>
${whoIs(site, ctx, { member, asked })}`;
  const page = { title: `Give ${client.name} access`, main };
  answerPage(ctx, page, { place: site.place, formTargets: [formTarget(redirectUri)] });
});

function abilities(scope: string): Html[] {
  const able = ['See customers, invoices, payments and everything else in this account'];
  if (scope.split(' ').includes('read_write')) {
    able.push('Create and change them, charge customers and send emails in your name');
  }
  return able.map((ability) => html`<li>${ability}</li>`);
}

function whoIs(site: Site, ctx: PageContext, { member, asked }: { member: SignedIn; asked: Asked }): Html {
  const returnTo = new URL(signInUrl(site.place, asked.params), 'http://here').searchParams.get('return_to');
  return html`<form method="post" action="${site.place.prefix}/oauth/sign_out" class="who">
${formToken(site, ctx)}
<input type="hidden" name="return_to" value="${returnTo}">
<span>Signed in as ${member.email}</span> <button class="link">Use another account</button>
</form>`;
}

export const takeConsent = forMembers(async (site, ctx, { member, rest }) => {
  const { answer } = await readForm(site, ctx);
  const asked = await askedOf(site, ctx, rest[0]);
  const result =
    answer === 'allow'
      ? { consent: { grantId: await grant(site, asked, member) } }
      : { error: 'access_denied', error_description: 'the person did not give access' };
  const resumeUrl = await site.provider.interactionResult(ctx.req, ctx.res, result);
  ctx.status = 303;
  ctx.redirect(resumeUrl);
});

async function grant({ provider }: Site, { grantId, client, scope }: Asked, member: SignedIn): Promise<string> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (known && known.accountId !== String(member.memberId)) {
    throw new errors.SessionNotFound('somebody else began this authorization');
  }
  const given = known ?? new provider.Grant({ accountId: String(member.memberId), clientId: client.clientId });
  given.addOIDCScope(scope);
  return given.save();
}
