import type { SellerHead } from '../../../commands/documents/sellerHead.ts';
import type { Account } from '../../../db/schema/account.ts';
import { fill, labelsOf } from '../../../present/printed/labels.ts';
import type { ManagingWords } from '../../../present/printed/managing/wording.ts';
import { managingWordsOf } from '../../../present/printed/managing/words.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { kitStyle, type Page, readStyle } from '../kit/page.ts';
import { ribbon } from '../kit/parts.ts';

const style = readStyle(new URL('./styles/managing.css', import.meta.url));

/** The seller whose page a customer visits, and the texts in the customer's language. */
export interface Host {
  head: SellerHead;
  words: ManagingWords;
  isTest: boolean;
}

export function hostOf(account: Account, head: SellerHead): Host {
  return { head, words: managingWordsOf(head.language), isTest: account.environment === 'sandbox' };
}

/** A text of the page with the seller's name, isolated from the direction of the text around it. */
export function sellerIn({ head }: Host, text: string): string {
  return fill(text, { seller: head.seller.name });
}

/** A page for a customer, with the seller's logo, name and colour. `title` is printed text. */
export function framed({ head, isTest }: Host, { title, main }: { title: string; main: Html }): Page {
  const { language, direction, accent, seller, footer, logo } = head;
  const picture = logo && html`<img class="logo" src="data:${logo.type};base64,${logo.base64}" alt="">`;
  return {
    language,
    direction,
    title: html`${printed(title)} · ${printed(seller.name)}`,
    style: { css: [kitStyle, style, `:root{--brand:${accent}}`].join('\n') },
    width: 'narrow',
    top: html`${isTest ? ribbon(labelsOf(language).testDocument) : null}<header class="host">${picture}<strong>${printed(seller.name)}</strong></header>`,
    main,
    foot: html`<footer class="foot">${printed(footer)}</footer>`,
    hasPictures: true,
    formTargets: null,
  };
}
