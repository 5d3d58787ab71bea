import type { Paying } from '../../../commands/documents/paying.ts';
import type { Account } from '../../../db/schema/account.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import type { Pen } from '../../../present/printed/head.ts';
import type { Labels } from '../../../words/labels/wording.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import type { PayingWords } from '../../../words/paying/wording.ts';
import { depositWordsOf, payingWordsOf } from '../../../words/paying/words.ts';
import { fill } from '../../../words/text.ts';
import type { Opened } from '../hosted/address.ts';
import { customerPage } from '../kit/customerPage.ts';
import type { Html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';

/** The invoice or estimate that a page about paying shows. */
export interface Payee {
  document: PrintedDocument;
  pen: Pen;
  words: PayingWords;
  labels: Labels;
  isTest: boolean;
  /** The account that sells, as it is now. */
  seller: Pick<Account, 'name' | 'email'>;
}

/** The document with everything that writes texts about paying it. Of an estimate, the figure is what is left of its deposit. */
export function payeeOf({ account }: Opened, document: PrintedDocument, { type, owed, pen, transfer }: Paying): Payee {
  const { language } = document;
  const labels = labelsOf(language);
  const about = { pen, labels, isTest: account.environment === 'sandbox', seller: account };
  if (type === 'invoice') return { ...about, document, words: payingWordsOf(language) };
  const figure = { label: labels.deposit, value: pen.formats.money(owed), note: null, isLate: false };
  return { ...about, document: { ...document, figure, transfer }, words: depositWordsOf(language) };
}

/** A page about paying, with the seller's logo, name and colour. */
export function framed(
  { document, isTest }: Payee,
  { title, main, isPair = false }: { title: string; main: Html; isPair?: boolean },
): Page {
  return customerPage(document, { title, main, isTest, isPair });
}

/** Fills in the seller's name. */
export function sellerIn({ document }: Payee, text: string): string {
  return fill(text, { seller: document.seller.name });
}
