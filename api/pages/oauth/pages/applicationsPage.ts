import type { SignedIn } from '../../../../db/queries/accounts/members.ts';
import type { OauthApplication } from '../../../../db/schema/oauthApplication.ts';
import { type Form, formToken } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, Site } from '../site.ts';
import type { Page } from './layout.ts';

export interface ApplicationsShown {
  member: SignedIn;
  applications: readonly OauthApplication[];
  /** An application that was just created, or whose secret was just rotated. */
  made?: { clientId: string; secret: string | null };
  problem?: string;
  /** A form that was refused. */
  form?: Form;
}

/** The applications of an account: list, register, delete. */
export function applicationsPage(site: Site, ctx: PageContext, shown: ApplicationsShown): Page {
  const { member, applications, made, problem } = shown;
  const token = formToken(site, ctx);
  const base = `${site.place.prefix}/oauth`;
  const main = html`<h1>OAuth applications</h1>
<p class="lead">of ${member.account.name}</p>
${made ? madeNote(made) : null}
<section aria-labelledby="registered"><h2 id="registered">Registered</h2>
${
  applications.length === 0
    ? html`<p class="empty">None yet. Register one to let it act for a business that gives it access.</p>`
    : html`<ul class="applications">${applications.map((application) => row(application, { base, token }))}</ul>`
}</section>
<section aria-labelledby="register"><h2 id="register">Register an application</h2>
${problem ? html`<p class="alert" role="alert">${problem}</p>` : null}
${registerForm({ base, token }, shown.form ?? {})}</section>`;
  return { title: 'OAuth applications', main, header: signOutForm({ base, token }, member), wide: true };
}

interface Forms {
  base: string;
  token: Html;
}

function signOutForm({ base, token }: Forms, { email }: SignedIn): Html {
  return html`<form method="post" action="${base}/sign_out" class="who">${token}<span>${email}</span> <button class="link">Sign out</button></form>`;
}

function madeNote({ clientId, secret }: { clientId: string; secret: string | null }): Html {
  return html`<div class="made" role="status"><p><strong>${secret === null ? 'Registered.' : 'Copy the secret now: it is shown only this once.'}</strong></p>
<dl><dt>Client id</dt><dd><code>${clientId}</code></dd>${
    secret === null ? null : html`<dt>Client secret</dt><dd><code>${secret}</code></dd>`
  }</dl></div>`;
}

function row({ id, name, clientId, redirectUris, confidential }: OauthApplication, { base, token }: Forms): Html {
  return html`<li><div class="named"><h3>${name}</h3><span class="kind">${confidential ? 'Confidential' : 'Public'}</span></div>
<dl><dt>Client id</dt><dd><code>${clientId}</code></dd>
<dt>Redirect URIs</dt><dd>${redirectUris.map((uri) => html`<code>${uri}</code> `)}</dd></dl>
<div class="actions">${
    confidential
      ? sure({ action: `${base}/applications/${id}/rotate_secret`, token }, [
          'New secret',
          'The present secret stops working at once.',
          `Make a new secret for ${name}`,
        ])
      : null
  }${sure({ action: `${base}/applications/${id}/delete`, token }, [
    'Delete',
    'Everybody who gave it access loses the connection at once.',
    `Delete ${name}`,
  ])}</div></li>`;
}

/** A button with a confirmation that works without scripts. */
function sure(
  { action, token }: { action: string; token: Html },
  [label, warning, button]: [string, string, string],
): Html {
  return html`<details><summary>${label}</summary><form method="post" action="${action}">${token}<p class="sure">${warning}</p><button class="danger">${button}</button></form></details>`;
}

function registerForm({ base, token }: Forms, { name = '', redirect_uris = '', type = 'confidential' }: Form): Html {
  const checked = (value: string) => (type === value ? html` checked` : null);
  return html`<form method="post" action="${base}/applications">${token}
<label for="name">Name</label>
<input id="name" name="name" required maxlength="255" autocomplete="off" value="${name}" aria-describedby="name-hint">
<p class="hint" id="name-hint">Shown to people when they are asked for access.</p>
<label for="redirect_uris">Redirect URIs</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" required spellcheck="false" aria-describedby="uris-hint">${redirect_uris}</textarea>
<p class="hint" id="uris-hint">One a line, such as https://example.com/callback. They are compared letter by letter.</p>
<fieldset><legend>Type</legend>
<label class="radio"><input type="radio" name="type" value="confidential"${checked('confidential')}> <span><strong>Confidential</strong> It runs on a server and keeps a secret.</span></label>
<label class="radio"><input type="radio" name="type" value="public"${checked('public')}> <span><strong>Public</strong> It runs in a browser or on a device, has no secret and uses PKCE.</span></label>
</fieldset>
<button class="primary">Register</button></form>`;
}
