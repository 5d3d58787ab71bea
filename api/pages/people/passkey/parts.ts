import { readFileSync } from 'node:fs';
import { absolute } from '../../../../present/kernel/links.ts';
import { hidden } from '../../kit/forms.ts';
import { type Html, html } from '../../kit/html.ts';
import type { PageScript } from '../../kit/policy.ts';
import { servedScript } from '../../kit/servedScript.ts';

/** The library as one file for browsers, which defines `SimpleWebAuthnBrowser`. Its package exports only modules. */
const library = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'));
const source = readFileSync(new URL('./browser.js', import.meta.url), 'utf8');

/** The script of the pages on which people use passkeys. */
export const passkeyScript = servedScript('passkeys', `${readFileSync(library, 'utf8')}\n(() => {\n${source}})();\n`, {
  isShared: false,
});

/** The script as a page names it. */
export const passkeyPageScript = (): PageScript => ({
  src: absolute(passkeyScript.path),
  gateway: { scripts: [], frames: [], requests: [] },
});

/**
 * A part of a page with a form whose sending asks the browser for a passkey, to make or to use one. Browsers without passkeys or scripts
 * do not show it. `options`: the path that says what to ask for.
 */
export function passkeyPart(kind: 'create' | 'get', options: string, content: Html): Html {
  return html`<div hidden data-passkey="${kind}" data-options="${options}">${content}</div>`;
}

/** The field in which the form sends what the browser answered. */
export const passkeyField = (): Html => hidden('passkey', '');
