import { errors } from 'oidc-provider';
import { isFresh } from '../../../../billing/people/proofs.ts';
import { logAct } from '../../../../commands/kernel/auditLog.ts';
import type { SignedIn } from '../../../../db/queries/accounts/members.ts';
import { findClient, type OauthClient } from '../../../../db/queries/accounts/oauth.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { button, form, hidden } from '../../kit/forms.ts';
import { type Html, html } from '../../kit/html.ts';
import { ticks } from '../../kit/parts.ts';
import { sourceOf } from '../../kit/policy.ts';
import { seeOther } from '../../kit/posted.ts';
import { formToken, readForm, signInPath } from '../../people/site.ts';
import type { MemberRequest, PageContext, Site } from '../place.ts';
import { authorizationPath } from '../returning.ts';
import { forMembers } from '../session.ts';
import { showPage } from './layout.ts';

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
  if (known !== uid || !['consent', 'login'].includes(prompt.name))
    throw new errors.SessionNotFound('this authorization has ended');
  const client = await findClient(storing.em(), { clientId: String(clientId), environment: place.environment });
  if (!client) throw new errors.SessionNotFound('the application is gone');
  return { uid: known, client, scope: String(scope), redirectUri: String(redirectUri), params, grantId };
}

export const showConsent = forMembers(async (site, ctx, request) => {
  const { member, membership, rest } = request;
  const asked = await askedOf(site, ctx, rest[0]);
  const { client, redirectUri } = asked;
  const allow = button('Allow access', 'primary', { name: 'answer', value: 'allow' });
  const deny = button('Cancel', 'plain', { name: 'answer', value: 'deny' });
  const main = html`<h1>${client.name} wants access to ${member.account.name}</h1>
<p class="lead">Made by ${client.business}</p>
<h2>It will be able to</h2>
${ticks(abilities(asked.scope))}
<p class="quiet">You can end this access at any time. You will be sent to <strong>${sourceOf(redirectUri)}</strong>.</p>
${form(consentPath(site, asked, membership.accountId), html`${formToken(site, ctx)}${allow}${deny}`)}
${otherAccounts(site, asked, request)}
${whoIs(site, ctx, { member, asked })}`;
  showPage(ctx, site.place, { title: `Give ${client.name} access`, main, status: 200, formTargets: [redirectUri] });
});

function abilities(scope: string): string[] {
  const able = ['See customers, invoices, payments and everything else in this account'];
  if (scope.split(' ').includes('read_write')) {
    able.push('Create and change them, charge customers and send emails in your name');
  }
  return able;
}

const consentPath = ({ place }: Site, { uid }: Asked, accountId: number): string =>
  `${place.prefix}/oauth/consent/${uid}?account=${accountId}`;

/** Links to give access to another account of the person. */
function otherAccounts(site: Site, asked: Asked, { membership, memberships }: MemberRequest): Html | null {
  const others = memberships.filter(({ accountId }) => accountId !== membership.accountId);
  if (others.length === 0) return null;
  const links = others.map(
    ({ accountId, name }) => html`<li><a href="${consentPath(site, asked, accountId)}">${name}</a></li>`,
  );
  return html`<p class="quiet">Give access to another of your accounts:</p><ul>${links}</ul>`;
}

function whoIs(site: Site, ctx: PageContext, { member, asked }: { member: SignedIn; asked: Asked }): Html {
  const content = html`${formToken(site, ctx)}${hidden('return_to', authorizationPath(site.place, asked.params))}
<span>Signed in as ${member.email}</span> ${button('Use another account', 'link')}`;
  return form('/sign_out', content, 'inline');
}

/** Takes the answer. Access outlives the session, so giving it needs a sign-in of the last ten minutes, which leads back here. */
export const takeConsent = forMembers(async (site, ctx, { session, member, membership, rest }) => {
  const { answer } = await readForm(site, ctx);
  const asked = await askedOf(site, ctx, rest[0]);
  if (answer === 'allow' && !isFresh(session.provenAt, site.storing.systemNow()))
    return seeOther(ctx, signInPath(consentPath(site, asked, membership.accountId)));
  const result =
    answer === 'allow'
      ? { login: { accountId: String(member.memberId) }, consent: { grantId: await grant(site, asked, member) } }
      : { error: 'access_denied', error_description: 'the person did not give access' };
  await logConsent(site, member, { name: asked.client.name, isAllowed: answer === 'allow' });
  const resumeUrl = await site.provider.interactionResult(ctx.req, ctx.res, result);
  seeOther(ctx, resumeUrl);
});

/** Logs the answer to an application in the account that it asked about. */
function logConsent(
  { deps }: Site,
  { memberId, email, account }: SignedIn,
  { name, isAllowed }: { name: string; isAllowed: boolean },
): Promise<void> {
  const by = { actor: 'member', actorId: memberId, actorName: email, memberId } as const;
  const operation = isAllowed ? 'allowApplication' : 'refuseApplication';
  const act = { accountId: account.id, by, kind: 'change', operation, reason: name } as const;
  return inTransaction(deps.em, async (em) => logAct(em, act, deps.systemNow()));
}

async function grant({ provider }: Site, { grantId, client, scope }: Asked, member: SignedIn): Promise<string> {
  const earlier = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const known = earlier?.accountId === String(member.memberId) ? earlier : undefined;
  const given = known ?? new provider.Grant({ accountId: String(member.memberId), clientId: client.clientId });
  given.addOIDCScope(scope);
  return given.save();
}
