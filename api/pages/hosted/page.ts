import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { directionOf } from '../../../present/printed/formats.ts';
import { isSpoken, labelsOf } from '../../../present/printed/labels.ts';
import type { Labels } from '../../../present/printed/wording.ts';
import { type Html, htmlOfPrinted as html } from '../oauth/html.ts';
import { documentBody } from './body.ts';
import type { DocumentPage } from './documentPage.ts';

const style = ['sheet', 'lines', 'answer', 'media'].map(readStyle).join('\n');

function readStyle(name: string): string {
  return readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8');
}

export interface HostedPage {
  html: string;
  /** Content-Security-Policy: only its own style and its embedded pictures; no scripts. */
  policy: string;
}

/** A document as an HTML page. */
export function documentPage(page: DocumentPage): HostedPage {
  const { document } = page;
  const { language, direction, accent, heading, seller } = document;
  const labels = labelsOf(language);
  return whole({ language, direction, title: `${heading} · ${seller.name}`, accent, body: documentBody(page, labels) });
}

/** The page for an address without a document. */
export function missingPage(languages: readonly string[]): HostedPage {
  return wordsPage(languages, ({ notThere, notThereWhy }) => ({ title: notThere, why: notThereWhy }));
}

/** The page for too many requests at once. */
export function busyPage(languages: readonly string[]): HostedPage {
  return wordsPage(languages, ({ busy, busyWhy }) => ({ title: busy, why: busyWhy }));
}

/** The page for a PDF that cannot be made, with a link to the document's page. */
export function noPdfPage(languages: readonly string[], path: string): HostedPage {
  return wordsPage(languages, ({ noPdf, noPdfWhy }) => ({
    title: noPdf,
    why: html`<a href="${path}">${noPdfWhy}</a>`,
  }));
}

function wordsPage(
  languages: readonly string[],
  say: (labels: Labels) => { title: string; why: string | Html },
): HostedPage {
  const { language, labels } = spoken(languages);
  const { title, why } = say(labels);
  const body = html`<main class="sheet"><h1>${title}</h1><p>${why}</p></main>`;
  return whole({ language, direction: directionOf(language), title, accent: '#16202c', body });
}

function spoken(languages: readonly string[]): { language: string; labels: Labels } {
  const language = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isSpoken) ?? 'en';
  return { language, labels: labelsOf(language) };
}

interface Whole {
  language: string;
  direction: 'ltr' | 'rtl';
  title: string;
  accent: string;
  body: Html;
}

function whole({ language, direction, title, accent, body }: Whole): HostedPage {
  const css = `:root{--accent:${accent};--tint:color-mix(in srgb,${accent} 8%,white)}\n${style}`;
  const { html: text } = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>${title}</title>
<style>${{ html: css }}</style>
</head>
<body>${body}</body>
</html>
`;
  return { html: text, policy: policyOf(css) };
}

function policyOf(css: string): string {
  const hash = createHash('sha256').update(css).digest('base64');
  const parts = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return parts.join('; ');
}
