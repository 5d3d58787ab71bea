import type { Account } from '../../../db/schema/account.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import { directionOf } from '../../../present/printed/formats.ts';
import type { Pen } from '../../../present/printed/head.ts';
import { labelsOf } from '../../../present/printed/labels.ts';
import type { PayingWords } from '../../../present/printed/paying/wording.ts';
import { payingWordsOf } from '../../../present/printed/paying/words.ts';
import type { Labels } from '../../../present/printed/wording.ts';
import type { Opened } from '../hosted/address.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { kitStyle, type Page, readStyle } from '../kit/page.ts';
import { ribbon } from '../kit/parts.ts';

const style = readStyle(new URL('./styles/pay.css', import.meta.url));

/** The invoice that a page about paying shows. */
export interface Payee {
  document: PrintedDocument;
  pen: Pen;
  words: PayingWords;
  labels: Labels;
  isTest: boolean;
  /** The account that sells, as it is now. */
  seller: Pick<Account, 'name' | 'email'>;
}

/** The invoice with everything that writes texts about paying it. */
export function payeeOf({ account }: Opened, document: PrintedDocument, pen: Pen): Payee {
  const { language } = document;
  const isTest = account.environment === 'sandbox';
  return { document, pen, isTest, seller: account, words: payingWordsOf(language), labels: labelsOf(language) };
}

/** A page about paying, with the seller's logo, name and colour. */
export function framed({ document, labels, isTest }: Payee, { title, main }: { title: string; main: Html }): Page {
  const { language, accent, seller, footer, logo } = document;
  const picture = logo && html`<img class="logo" src="data:${logo.type};base64,${logo.base64}" alt="">`;
  return {
    language,
    direction: directionOf(language),
    title: html`${printed(title)} · ${printed(seller.name)}`,
    style: { css: [kitStyle, style, `:root{--brand:${accent}}`].join('\n') },
    width: 'narrow',
    top: html`${isTest ? ribbon(labels.testDocument) : null}<header class="payee">${picture}<strong>${printed(seller.name)}</strong></header>`,
    main,
    foot: html`<footer class="foot">${printed(footer)}</footer>`,
    hasPictures: true,
    formTargets: null,
  };
}
