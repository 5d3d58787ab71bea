import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html } from '../html.ts';
import type { Place } from '../place.ts';

/** The style of all pages here. */
export const style = ['base', 'forms', 'lists'].map(readStyle).join('\n');
const version = createHash('sha256').update(style).digest('hex').slice(0, 12);

function readStyle(name: string): string {
  return readFileSync(new URL(`../styles/${name}.css`, import.meta.url), 'utf8');
}

export interface Page {
  title: string;
  main: Html;
  /** The signed-in member, with a link to sign out. */
  header?: Html;
  wide?: boolean;
}

/** The parts of a context that a page's answer sets. */
export interface Answering {
  status: number;
  type: string;
  body: unknown;
  set(name: string, value: string): void;
}

/**
 * Answers with a page. Its policy forbids scripts, resources from other origins and frames. Forms may be sent to this origin, and on to the
 * redirect URIs of an application that is being authorized.
 */
export function answerPage(
  ctx: Answering,
  page: Page,
  { place, status = 200, formTargets = [] }: { place: Place; status?: number; formTargets?: readonly string[] },
): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`, // last, because browsers use the first of two directives with one name
  ];
  ctx.set('Content-Security-Policy', policy.join('; '));
  ctx.set('Referrer-Policy', 'same-origin'); // with `no-referrer`, browsers send forms with a null origin
  ctx.body = `${documentOf(page, place).html}\n`;
}

function documentOf({ title, main, header, wide }: Page, { prefix }: Place): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Perennial</title>
<link rel="stylesheet" href="${prefix}/oauth/style.css?v=${version}">
</head>
<body>
<div class="page${wide ? ' wide' : ''}">
<header class="top"><span class="brand"><span class="mark" aria-hidden="true"></span>Perennial${
    prefix === '' ? null : html` <span class="badge">Sandbox</span>`
  }</span>${header ?? null}</header>
<main class="card">
${main}
</main>
</div>
</body>
</html>`;
}

/** The CSP source of a redirect URI: its origin, or the scheme of an app. */
export function formTarget(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}
