import type { Context } from 'koa';
import { setting } from '../../../billing/settings.ts';
import { visitorHead } from '../../../commands/documents/sellerHead.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Account } from '../../../db/schema/account.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import { directionOf } from '../../../present/printed/formats.ts';
import type { Labels } from '../../../words/labels/wording.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import { spokenOf } from '../../../words/languages.ts';
import { brandStyle } from '../kit/brandStyle.ts';
import { customerPage, languageOf } from '../kit/customerPage.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { answerPage, kitStyle, type Page, readStyle } from '../kit/page.ts';
import { ribbon } from '../kit/parts.ts';
import { type DocumentPage, documentBody } from './body.ts';

const style = ['document', 'lines', 'media'].map((name) => readStyle(new URL(`./styles/${name}.css`, import.meta.url)));
/** The brand colour of pages that belong to no account. */
const INK = '#16202c';

/** A document as an HTML page. */
export function documentPage(page: DocumentPage): Page {
  const { document, isTest } = page;
  const { language, direction, accent, theme, heading, seller, footer } = document;
  const labels = labelsOf(language);
  return {
    ...whole({ language, direction, accent, theme }),
    title: html`${printed(heading)} · ${printed(seller.name)}`,
    top: isTest ? ribbon(labels.testDocument) : null,
    main: documentBody(page, labels),
    foot: html`<footer class="foot">${printed(footer)}</footer>`,
    hasPictures: true,
  };
}

/** The page for a URL without a document. */
export function missingPage(languages: readonly string[]): Page {
  const { notThere, notThereWhy } = labelsFor(languages);
  return wordsPage(languages, { title: notThere, why: notThereWhy });
}

/**
 * Answers a URL without a document: as its account looks, if everybody may know the account because its portal is open. Otherwise the page names
 * nobody.
 */
export async function answerMissing(ctx: Context, em: EntityManager, accountId: number): Promise<void> {
  const account = await em.findOne(Account, { id: accountId });
  if (!account || !setting(account, 'portal_enabled')) return answerPage(ctx, missingPage(ctx.acceptsLanguages()), 404);
  const head = await visitorHead(em, account, { language: languageOf(ctx, account.language) });
  const { notThere, notThereWhy } = head.pen.labels;
  const main = html`<h1>${notThere}</h1><p class="lead">${notThereWhy}</p>`;
  answerPage(ctx, customerPage(head, { title: notThere, main, isTest: account.environment === 'sandbox' }), 404);
}

/** The page for too many requests at once. */
export function busyPage(languages: readonly string[]): Page {
  const { busy, busyWhy } = labelsFor(languages);
  return wordsPage(languages, { title: busy, why: busyWhy });
}

/** The page for a PDF that cannot be rendered, with a link to the document's page. */
export function noPdfPage(languages: readonly string[], path: string): Page {
  const { noPdf, noPdfWhy } = labelsFor(languages);
  return wordsPage(languages, { title: noPdf, why: html`<a href="${path}">${noPdfWhy}</a>` });
}

function labelsFor(languages: readonly string[]): Labels {
  return labelsOf(spokenOf(languages));
}

/** A page of a title and a sentence that belongs to no account, in the first of the languages that is spoken. */
export function wordsPage(languages: readonly string[], { title, why }: { title: string; why: string | Html }): Page {
  const language = spokenOf(languages);
  return {
    ...whole({ language, direction: directionOf(language), accent: INK, theme: null }),
    title,
    width: 'narrow',
    top: brandLine,
    main: html`<h1>${title}</h1><p class="lead">${why}</p>`,
  };
}

/** The mark above pages that belong to no account. An address that shows nothing names no account either. */
export const brandLine = html`<header class="top"><span class="brand"><span class="sign" aria-hidden="true"></span>Perennial</span></header>`;

/**
 * The base of a page, without title and content. The style sheet is part of it: most readers open only one page, and a saved page keeps its
 * look.
 */
function whole({
  language,
  direction,
  ...look
}: Pick<Page, 'language' | 'direction'> & Pick<PrintedDocument, 'accent' | 'theme'>): Page {
  return {
    language,
    direction,
    title: '',
    style: { css: [kitStyle, ...style, brandStyle(look)].join('\n') },
    width: 'sheet',
    top: null,
    main: html``,
    foot: null,
    hasPictures: false,
    formTargets: null,
  };
}
