import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from './html.ts';
import { inactivePolicy, type PageScript, pagePolicy } from './policy.ts';

/** The style sheet of all pages. `tokens` has colours and sizes, for light and dark mode. */
export const kitStyle = ['tokens', 'base', 'forms', 'parts'].map(readKitStyle).join('\n');

/** Hash of the style sheet, part of its URL, which browsers cache for a year. */
export const kitVersion = createHash('sha256').update(kitStyle).digest('hex').slice(0, 12);

export function readKitStyle(name: string): string {
  return readStyle(new URL(`./styles/${name}.css`, import.meta.url));
}

export function readStyle(file: URL): string {
  return readFileSync(file, 'utf8');
}

export interface Page {
  language: string;
  direction: 'ltr' | 'rtl';
  title: string | Html;
  /** `css`: a style sheet inside the page. `href`: the URL of one at this origin. */
  style: { css: string } | { href: string };
  /** How wide the page is: a form, a form beside a summary, a list, or a document. */
  width: 'narrow' | 'narrow pair' | 'wide' | 'sheet';
  /** Above the card. */
  top: Html | null;
  /** The card itself. */
  main: Html;
  /** Below the card. */
  foot: Html | null;
  hasPictures: boolean;
  /** URLs outside this origin to which its forms lead. Null: none, and the server does not check the Origin header of its forms. */
  formTargets: readonly string[] | null;
  /** Absent: it runs no script. */
  script?: PageScript | null;
}

/** The parts of a Koa context that `answerPage` sets. */
export interface PageContext {
  status: number;
  type: string;
  body: unknown;
  set(name: string, value: string): void;
}

/** Answers with a page. Its policy allows only the page's own script, and no resources from other origins but those of a gateway's fields. */
export function answerPage(ctx: PageContext, page: Page, status: number): void {
  const { style, hasPictures, formTargets, script = null } = page;
  const css = 'css' in style ? style.css : null;
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Content-Security-Policy', pagePolicy({ css, hasPictures, formTargets: formTargets ?? [], script }));
  if (formTargets !== null) ctx.set('Referrer-Policy', 'same-origin'); // with `no-referrer`, browsers send forms with a null origin
  ctx.body = pageHtml(page);
}

/** The HTML of a page. */
function pageHtml(page: Page): string {
  return documentOf(page).html;
}

const SCRIPT = { begin: Html.trusted('<script defer src="'), end: Html.trusted('"></script>') };

const MODULE = { begin: Html.trusted('<script type="module" src="'), end: SCRIPT.end };

/** A script that is a module, such as that of the dashboard. */
export const moduleScript = (src: string): Html => html`${MODULE.begin}${src}${MODULE.end}`;

function documentOf({ width, top, main, foot, script, ...about }: Page): Html {
  const body = html`<div class="page ${width}">
${top}
<main class="card">
${main}
</main>
${foot}
</div>
${script ? html`${SCRIPT.begin}${script.src}${SCRIPT.end}` : null}`;
  return wholeDocument({ ...about, body, isSearchable: false });
}

interface WholeDocument extends Pick<Page, 'language' | 'direction' | 'title' | 'style'> {
  body: Html;
  /** Whether search engines may list it. */
  isSearchable: boolean;
}

export function wholeDocument({ language, direction, title, style, body, isSearchable }: WholeDocument): Html {
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${isSearchable ? null : html`<meta name="robots" content="noindex,nofollow">`}
<title>${title}</title>
${styleHtml(style)}
</head>
<body>
${body}
</body>
</html>
`;
}

function styleHtml(style: Page['style']): Html {
  if ('href' in style) return html`<link rel="stylesheet" href="${style.href}">`;
  return html`<style>${Html.trusted(style.css)}</style>`;
}

/** A page as HTML in which nothing can be clicked, and which loads, runs and sends nothing wherever it is shown. */
export function inactivePage(page: Page): string {
  const { style } = page;
  return inactive(pageHtml(page), inactivePolicy('css' in style ? style.css : null));
}

/** The same of a mail. Its logo takes the place of the reference to an attachment. */
export function inactiveMail({ html, logo }: { html: string; logo: { type: string; base64: string } | null }): string {
  const shown = logo ? html.replace(/src="cid:[^"]*"/, `src="data:${logo.type};base64,${logo.base64}"`) : html;
  return inactive(shown, inactivePolicy(null));
}

/** In an inert body nothing can be clicked or filled in. */
const INERT = '<body inert';

function inactive(html: string, policy: string): string {
  const rule = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html.replace('<head>', `<head>\n${rule}`).replace('<body', INERT);
}
