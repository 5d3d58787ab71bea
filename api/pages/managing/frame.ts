import type { SellerHead } from '../../../commands/documents/sellerHead.ts';
import type { Account } from '../../../db/schema/account.ts';
import type { ManagingWords } from '../../../words/managing/wording.ts';
import { managingWordsOf } from '../../../words/managing/words.ts';
import { fill } from '../../../words/text.ts';
import { customerPage } from '../kit/customerPage.ts';
import type { Html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';

/** The seller whose page a customer visits, and the texts in the customer's language. */
export interface Host {
  head: SellerHead;
  words: ManagingWords;
  isTest: boolean;
  /** Hidden fields of each form; absent: none. */
  fields?: Html;
  /** The frame in which its pages stand; absent: that of a page that its link opens. */
  around?: (page: { title: string; main: Html }) => Page;
}

export function hostOf(account: Account, head: SellerHead): Host {
  return { head, words: managingWordsOf(head.language), isTest: account.environment === 'sandbox' };
}

/** A text of the page with the seller's name, isolated from the direction of the text around it. */
export function sellerIn({ head }: Host, text: string): string {
  return fill(text, { seller: head.seller.name });
}

/** A page for a customer, with the seller's logo, name and colour. `title` is printed text. */
export function framed({ head, isTest, around }: Host, { title, main }: { title: string; main: Html }): Page {
  return around ? around({ title, main }) : customerPage(head, { title, main, isTest });
}
