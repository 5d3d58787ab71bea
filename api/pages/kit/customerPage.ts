import type { Context } from 'koa';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import { spokenOf } from '../../../words/languages.ts';
import { brandStyle } from './brandStyle.ts';
import { attributes, type Html, html, printed } from './html.ts';
import { kitStyle, type Page, readKitStyle } from './page.ts';
import { ribbon } from './parts.ts';

/** The style sheet of the pages for customers of an account, besides the kit's. */
export const customerStyle = ['customer', 'pair', 'amounts', 'fields'].map(readKitStyle).join('\n');

/** The seller whose page a customer visits, and the language of the page. */
export type Head = Pick<PrintedDocument, 'language' | 'direction' | 'accent' | 'theme' | 'logo' | 'seller' | 'footer'>;

/** The line above the card: who the page belongs to. `name` is printed text. */
export function host(name: string, picture: Html | null = null): Html {
  return html`<header class="host">${picture}<strong>${printed(name)}</strong></header>`;
}

/** A page for a customer, with the seller's logo, name and colour. `title` is printed text. `isPair`: its main part is two `columns`. */
export function customerPage(
  { language, direction, accent, theme, seller, footer, logo }: Head,
  { title, main, isTest, isPair = false }: { title: string; main: Html; isTest: boolean; isPair?: boolean },
): Page {
  const picture = logo && html`<img class="logo" src="data:${logo.type};base64,${logo.base64}" alt="">`;
  return {
    language,
    direction,
    title: html`${printed(title)} · ${printed(seller.name)}`,
    style: { css: [kitStyle, customerStyle, brandStyle({ accent, theme })].join('\n') },
    width: isPair ? 'narrow pair' : 'narrow',
    top: html`${isTest ? ribbon(labelsOf(language).testPage) : null}${host(seller.name, picture)}`,
    main,
    foot: html`<footer class="foot">${printed(footer)}</footer>`,
    hasPictures: true,
    formTargets: null,
  };
}

/** The language of the visitor's browser, if pages are written in it; otherwise the usual one. */
export function languageOf(ctx: Context, otherwise: string): string {
  const asked = ctx.acceptsLanguages().filter((language) => language !== '*');
  return spokenOf([...asked, otherwise]);
}

/** What a page is about, beside what its reader does; on a narrow screen above it. */
export function columns(about: Html, work: Html): Html {
  return html`<div class="about">${about}</div>
<div class="work">${work}</div>`;
}

/** over: nothing is left to do. */
export type Tone = 'good' | 'wait' | 'bad' | 'over';

/** The outcome of something that a customer did: a sign, a title, and sentences. All texts are printed ones. */
export function outcome(tone: Tone, title: string, texts: readonly string[]): Html {
  return html`<div class="outcome ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"><h1>${printed(title)}</h1>
${texts.map((text) => html`<p class="lead">${printed(text)}</p>`)}</div>`;
}

export interface Option {
  name: string;
  /** Null: it cannot be chosen. */
  href: string | null;
  hint: string | null;
  isChosen: boolean;
}

/** Links to the ways of paying, in their order. Nothing if there is no choice. */
export function optionLinks(label: string, options: readonly Option[]): Html | null {
  if (options.length < 2) return null;
  const items = options.map(({ name, href, hint, isChosen }) => {
    const shown = html`${name}${hint && html` <small>${printed(hint)}</small>`}`;
    if (href === null) return html`<li><span class="off">${shown}</span></li>`;
    return html`<li><a href="${href}"${attributes({ 'aria-current': isChosen ? 'true' : null })}>${shown}</a></li>`;
  });
  return html`<nav aria-labelledby="options"><h2 id="options">${label}</h2><ul class="options">${items}</ul></nav>`;
}

/** Labels and amounts, the last of them sums. All texts are printed ones. */
export function amountRows(
  rows: readonly { label: string; details?: readonly string[]; value: string; weight?: string | null }[],
): Html {
  const shown = rows.map(({ label, details = [], value, weight = null }) => {
    const more = details.map((detail) => html`<span class="detail">${printed(detail)}</span>`);
    return html`<div${attributes({ class: weight })}><dt>${printed(label)}${more}</dt><dd>${printed(value)}</dd></div>`;
  });
  return html`<dl class="rows">${shown}</dl>`;
}
