import { renderSVG } from 'uqr';
import { totpUri } from '../../../billing/people/totp.ts';
import { offerTotp } from '../../../commands/people/factors.ts';
import { type Factors, hasSecondFactor } from '../../../commands/people/persons.ts';
import type { FoundSession } from '../../../db/queries/accounts/people.ts';
import type { Passkey } from '../../../db/schema/person.ts';
import { button, confirmed, field, form, hidden } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { entries, notice } from '../kit/parts.ts';
import { formFields } from './layout.ts';
import { passkeyField, passkeyPart } from './passkey/parts.ts';
import type { PageContext, PeopleSite } from './site.ts';

export const SECURITY_PATH = '/security';
const PASSKEY_NAME = 100;

/** A form of the security page. `action` says what it does. */
export function acting(site: PeopleSite, ctx: PageContext, action: string, content: Html): Html {
  return form(SECURITY_PATH, html`${formFields(site, ctx)}${hidden('action', action)}${content}`);
}

interface ShownFactors {
  factors: Factors;
  passkeys: readonly Passkey[];
  /** Names of the accounts of the person that demand a second factor. */
  demanding: readonly string[];
}

/** What a person proves besides its password, and how it changes that. */
export function factorsHtml(site: PeopleSite, ctx: PageContext, shown: ShownFactors): Html {
  const { factors, passkeys } = shown;
  return html`<section aria-labelledby="factor"><h2 id="factor">Second factor</h2>${appHtml(site, ctx, shown)}</section>
<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p>A passkey is kept by a device of yours, and signs you in without a password, or after it as the second factor.</p>
${passkeys.length > 0 ? entries(passkeys.map((one) => passkeyEntry(site, ctx, { one, shown }))) : null}
${passkeyPart('create', `${SECURITY_PATH}/passkey_options`, newPasskeyForm(site, ctx))}</section>
${hasSecondFactor(factors) ? codesHtml(site, ctx, factors) : null}`;
}

function appHtml(site: PeopleSite, ctx: PageContext, shown: ShownFactors): Html {
  const { hasTotp, passkeys } = shown.factors;
  if (hasTotp) {
    const remove = acting(site, ctx, 'remove_totp', button('Remove the authenticator app', 'danger'));
    return html`<p>Your sign-in asks for a code of your authenticator app${passkeys > 0 ? ', or for a passkey' : null}.</p>
<div class="actions">${confirmed('Remove', afterRemoval(shown, passkeys), remove)}</div>`;
  }
  const now = passkeys > 0 ? 'Your sign-in asks for a passkey.' : 'Your password alone signs you in.';
  return html`<p>${now}</p>${acting(site, ctx, 'offer_totp', button('Add an authenticator app', 'primary'))}`;
}

/** What follows when a factor is removed and `left` others stay. */
function afterRemoval({ demanding }: ShownFactors, left: number): string {
  if (left > 0) return 'Your other factors stay.';
  const closed = demanding.length > 0 ? ` ${demanding.join(', ')} demands a second factor and no longer opens.` : '';
  return `Your password alone signs you in then.${closed}`;
}

function passkeyEntry(
  site: PeopleSite,
  ctx: PageContext,
  { one, shown }: { one: Passkey; shown: ShownFactors },
): Parameters<typeof entries>[0][number] {
  const { hasTotp, passkeys } = shown.factors;
  const sending = html`${hidden('id', String(one.id))}${button('Remove the passkey', 'danger')}`;
  const remove = acting(site, ctx, 'remove_passkey', sending);
  const used = one.lastUsedAt ? `last used ${dayOf(one.lastUsedAt)}` : 'not used yet';
  return {
    name: one.name,
    kind: `Added ${dayOf(one.createdAt)}, ${used}`,
    content: html`<div class="actions">${confirmed('Remove', afterRemoval(shown, passkeys - 1 + Number(hasTotp)), remove)}</div>`,
  };
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

function newPasskeyForm(site: PeopleSite, ctx: PageContext): Html {
  const name = field({
    name: 'name',
    label: 'Name of the new passkey',
    value: '',
    type: 'text',
    autocomplete: 'off',
    maxLength: PASSKEY_NAME,
    hint: 'Such as the device that keeps it. Without a name, it is called after your browser.',
    problem: null,
    isFocused: false,
    isOptional: true,
  });
  return acting(site, ctx, 'add_passkey', html`${passkeyField()}${name}${button('Add a passkey', 'primary')}`);
}

function codesHtml(site: PeopleSite, ctx: PageContext, { recoveryCodes }: Factors): Html {
  const left = recoveryCodes === 1 ? '1 recovery code is left' : `${recoveryCodes} recovery codes are left`;
  const again = acting(site, ctx, 'recovery_codes', button('Make new recovery codes', 'plain'));
  return html`<section aria-labelledby="codes"><h2 id="codes">Recovery codes</h2>
<p>${left}. Each replaces your second factor once, if you lose it. New ones end the ones from before.</p>
${again}</section>`;
}

/** Offers the secret of an authenticator app, which counts once its first code was checked. */
export function totpOffer(site: PeopleSite, ctx: PageContext, { email }: FoundSession): Html {
  const { secret, sealed } = offerTotp(site.deps.cipher);
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(totpUri(secret, email))).toString('base64')}`;
  const code = field({
    name: 'code',
    label: 'Code that the app shows',
    value: '',
    type: 'text',
    autocomplete: 'one-time-code',
    maxLength: 7,
    hint: null,
    problem: null,
    isFocused: true,
  });
  return html`<section aria-labelledby="offered"><h2 id="offered">Add an authenticator app</h2>
<p>Scan this picture with the app, or type the secret into it.</p>
<p><img src="${picture}" alt="QR code of the secret" width="200" height="200"></p>
<p><code>${secret}</code></p>
${acting(site, ctx, 'add_totp', html`${hidden('offered', sealed)}${code}${button('Add the app', 'primary')}`)}</section>`;
}

/** Recovery codes, which are shown once. */
export function recoveryCodes(codes: readonly string[]): Html {
  const items = codes.map((code) => html`<li><code>${code}</code></li>`);
  return notice(html`<p><strong>Copy your recovery codes now: they are shown only this once.</strong> Each replaces your second factor once.</p>
<ul>${items}</ul>`);
}
