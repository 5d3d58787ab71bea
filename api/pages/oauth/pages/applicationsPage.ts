import type { SignedIn } from '../../../../db/queries/accounts/members.ts';
import type { OauthApplication } from '../../../../db/schema/oauth.ts';
import { button, choices, confirmed, field, form, lines } from '../../kit/forms.ts';
import { type Html, html } from '../../kit/html.ts';
import { alert, entries, facts, notice } from '../../kit/parts.ts';
import { type Form, formToken } from '../../people/site.ts';
import type { PageContext, Site } from '../place.ts';
import type { Shown } from './layout.ts';

export interface ApplicationsShown {
  /** Id of the live account. */
  accountId: number;
  member: SignedIn;
  applications: readonly OauthApplication[];
  status: number;
  /** An application that was just created, or whose secret was just rotated. */
  made?: { clientId: string; secret: string | null };
  problem?: string;
  /** The form that was refused, to show its values again. */
  form?: Form;
}

/** The applications of an account: list, register, delete. */
export function applicationsPage(site: Site, ctx: PageContext, shown: ApplicationsShown): Shown {
  const { member, applications, status, made, problem } = shown;
  const base = `${site.place.prefix}/oauth`;
  const forms = { token: formToken(site, ctx), base, query: `?account=${shown.accountId}` };
  const main = html`<h1>OAuth applications</h1>
<p class="lead">of ${member.account.name}</p>
${made ? madeNote(made) : null}
<section aria-labelledby="registered"><h2 id="registered">Registered</h2>
${registered(applications, forms)}</section>
<section aria-labelledby="register"><h2 id="register">Register an application</h2>
${problem ? alert(problem) : null}
${registerForm(forms, shown.form ?? {})}</section>`;
  return { title: 'OAuth applications', main, status, header: signOutForm(forms, member), isWide: true };
}

interface Forms {
  base: string;
  /** Names the account in each address. */
  query: string;
  token: Html;
}

function signOutForm({ token }: Forms, { email }: SignedIn): Html {
  return form('/sign_out', html`${token}<span>${email}</span> ${button('Sign out', 'link')}`, 'inline');
}

function madeNote({ clientId, secret }: { clientId: string; secret: string | null }): Html {
  const title = secret === null ? 'Registered.' : 'Copy the secret now: it is shown only this once.';
  const rows = [
    { label: 'Client id', value: html`<code>${clientId}</code>` },
    ...(secret === null ? [] : [{ label: 'Client secret', value: html`<code>${secret}</code>` }]),
  ];
  return notice(html`<p><strong>${title}</strong></p>${facts(rows)}`);
}

function registered(applications: readonly OauthApplication[], forms: Forms): Html {
  if (applications.length === 0) {
    return html`<p class="quiet">None yet. Register one to let it act for a business that gives it access.</p>`;
  }
  const items = applications.map((application) => ({
    name: application.name,
    kind: application.confidential ? 'Confidential' : 'Public',
    content: html`${factsOf(application)}<div class="actions">${actionsOn(application, forms)}</div>`,
  }));
  return entries(items);
}

function factsOf({ clientId, redirectUris }: OauthApplication): Html {
  return facts([
    { label: 'Client id', value: html`<code>${clientId}</code>` },
    { label: 'Redirect URIs', value: redirectUris.map((uri) => html`<code>${uri}</code> `) },
  ]);
}

function actionsOn({ id, name, confidential }: OauthApplication, { base, query, token }: Forms): Html[] {
  const sending = (verb: string, label: string) =>
    form(`${base}/applications/${id}/${verb}${query}`, html`${token}${button(label, 'danger')}`);
  const rotate = sending('rotate_secret', `Make a new secret for ${name}`);
  const remove = sending('delete', `Delete ${name}`);
  return [
    ...(confidential ? [confirmed('New secret', 'The current secret stops working at once.', rotate)] : []),
    confirmed('Delete', 'All access that was given to it ends at once.', remove),
  ];
}

function registerForm({ base, query, token }: Forms, sent: Form): Html {
  const name = field({
    name: 'name',
    label: 'Name',
    value: sent.name ?? '',
    type: 'text',
    autocomplete: 'off',
    maxLength: 255,
    hint: 'Shown to members when they are asked for access.',
    problem: null,
    isFocused: false,
  });
  const uris = lines({
    name: 'redirect_uris',
    label: 'Redirect URIs',
    value: sent.redirect_uris ?? '',
    rows: 3,
    hint: 'One per line, such as https://example.com/callback. They are compared exactly.',
  });
  const type = choices('type', 'Type', { options: types, chosen: sent.type ?? 'confidential' });
  return form(`${base}/applications${query}`, html`${token}${name}${uris}${type}${button('Register', 'primary')}`);
}

const types = [
  { value: 'confidential', label: 'Confidential', hint: 'It runs on a server and keeps a secret.' },
  { value: 'public', label: 'Public', hint: 'It runs in a browser or on a device, has no secret and uses PKCE.' },
];
