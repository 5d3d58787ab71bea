import { builtInRoles } from '../../../billing/people/permissions.ts';
import { hasTwoFactors } from '../../../billing/people/proofs.ts';
import { factorsOf, hasSecondFactor } from '../../../commands/people/persons.ts';
import { type FoundSession, type Membership, membershipsOf } from '../../../db/queries/accounts/people.ts';
import { Person } from '../../../db/schema/person.ts';
import { html } from '../kit/html.ts';
import { entries } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { showPage } from './layout.ts';
import { HOME, type PageContext, type PeopleSite, signedIn, signInPath } from './site.ts';

/** A page for somebody who is signed in. */
export type PersonHandler = (site: PeopleSite, ctx: PageContext, session: FoundSession) => Promise<void>;
type Handler = (site: PeopleSite, ctx: PageContext, rest: readonly string[]) => Promise<void>;

/** Others sign in first, and then get to the page. A form of theirs is lost: the page shows it anew. */
export function forPersons(handler: PersonHandler): Handler {
  return async (site, ctx) => {
    const session = await signedIn(site, ctx);
    if (session) return handler(site, ctx, session);
    seeOther(ctx, signInPath(ctx.path));
  };
}

/** The accounts in which a person works. */
export const showAccounts: PersonHandler = async (site, ctx, session) => {
  const em = site.deps.em.fork();
  const memberships = await membershipsOf(em, session.personId);
  const hasFactor = hasSecondFactor(await factorsOf(em, await em.findOneOrFail(Person, { id: session.personId })));
  const items = memberships.map((one) => ({
    name: one.name,
    kind: builtInRoles.get(one.role)?.name ?? one.role,
    content: links(one, { session, hasFactor, hasDashboard: site.deps.dashboard !== undefined }),
  }));
  const main = html`<h1>Your accounts</h1>
${items.length === 0 ? html`<p>You are a member of no account. Ask an administrator of yours to invite ${session.email}.</p>` : html`<section aria-labelledby="list"><h2 id="list">You work in</h2>${entries(items)}</section>`}
<p><a href="/security">Password, second factor and sessions</a> · <a href="/connected_apps">Connected applications</a></p>`;
  showPage(site, ctx, { title: 'Your accounts', main, email: session.email, isWide: true });
};

function links(
  { accountId, needsTwoFactors }: Membership,
  { session, hasFactor, hasDashboard }: { session: FoundSession; hasFactor: boolean; hasDashboard: boolean },
) {
  if (needsTwoFactors && !hasTwoFactors(session.proofs))
    return hasFactor
      ? html`<p>This account demands a second factor. <a href="${signInPath(HOME)}">Sign in again with yours</a>.</p>`
      : html`<p>This account demands a second factor. <a href="/security">Set one up</a>, then sign in again.</p>`;
  const live = `/oauth/applications?account=${accountId}`;
  const place = `/dashboard/${accountId}`;
  const open = html`<p><a class="button primary" href="${`${place}/live`}">Open the dashboard</a> · <a href="${`${place}/sandbox`}">of the sandbox</a></p>`;
  return html`${hasDashboard ? open : null}<p><a href="${live}">OAuth applications</a> · <a href="${`/sandbox${live}`}">of the sandbox</a></p>`;
}
