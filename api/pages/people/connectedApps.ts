import { revokeGrantOfPerson } from '../../../commands/accounts/oauthApplications.ts';
import { type GrantOfPerson, grantsOfPerson } from '../../../db/queries/accounts/oauth.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, confirmed, form, hidden } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { entries, facts } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import type { PersonHandler } from './accounts.ts';
import { formFields, showPage } from './layout.ts';
import { type PageContext, type PeopleSite, readForm } from './site.ts';

const PATH = '/connected_apps';

/** The applications to which a person gave access, in all its accounts. */
export const showConnectedApps: PersonHandler = async (site, ctx, { personId, email }) => {
  const grants = await grantsOfPerson(site.deps.em.fork(), { personId }, site.deps.systemNow());
  const items = grants.map((grant) => ({
    name: grant.application,
    kind: `in ${grant.account}${grant.environment === 'sandbox' ? ' (sandbox)' : ''}`,
    content: grantHtml(site, ctx, grant),
  }));
  const list =
    items.length === 0
      ? html`<p class="quiet">None. An application asks you when it wants access to an account.</p>`
      : entries(items);
  const main = html`<h1>Connected applications</h1>
<p class="lead">You gave them access. They can do no more than you can.</p>
<section aria-labelledby="connected"><h2 id="connected">With access</h2>${list}</section>
<p><a href="/accounts">Your accounts</a></p>`;
  showPage(site, ctx, { title: 'Connected applications', main, email, isWide: true });
};

function grantHtml(
  site: PeopleSite,
  ctx: PageContext,
  { id, application, business, scope, createdAt, lastUsedAt }: GrantOfPerson,
): Html {
  const mayWrite = scope.split(' ').includes('read_write');
  const rows = [
    { label: 'Made by', value: business },
    { label: 'Access', value: mayWrite ? 'See and change everything that you can' : 'See everything that you can' },
    { label: 'Since', value: minute(createdAt) },
    { label: 'Last used', value: lastUsedAt === null ? 'Never' : minute(lastUsedAt) },
  ];
  const fields = html`${formFields(site, ctx)}${hidden('id', String(id))}`;
  const end = form(PATH, html`${fields}${button(`End the access of ${application}`, 'danger')}`);
  const ending = confirmed('End access', 'It ends at once. The application can ask you again.', end);
  return html`${facts(rows)}<div class="actions">${ending}</div>`;
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Ends an access. Nothing happens to one that has ended, or that somebody else gave. */
export const takeConnectedApps: PersonHandler = async (site, ctx, session) => {
  const { id = '' } = await readForm(site, ctx);
  const of = { personId: session.personId, id: /^\d{1,9}$/.test(id) ? Number(id) : 0 };
  await inTransaction(site.deps.em, (em) => revokeGrantOfPerson(em, of, site.deps.systemNow()));
  seeOther(ctx, PATH);
};
