import type { Paying } from '../../../commands/documents/paying.ts';
import { contentHash } from '../../../commands/documents/pdfs.ts';
import { attachedFiles } from '../../../db/queries/files/files.ts';
import { paidParts } from '../../../db/queries/invoices/paidParts.ts';
import type { Account } from '../../../db/schema/account.ts';
import { fileUrl } from '../../../present/files/file.ts';
import { printPayments } from '../../../present/printed/paying.ts';
import { depositWordsOf, payingWordsOf } from '../../../words/paying/words.ts';
import { fill } from '../../../words/text.ts';
import type { OpenedDocument, PreviewPages } from '../../framework/apiRequest.ts';
import { inactiveMail, inactivePage, type Page } from '../kit/page.ts';
import type { AnswerForm } from './answerForm.ts';
import type { DocumentPage } from './body.ts';
import { documentPage } from './page.ts';

/** A document and the reason why the customer's answer to it was refused. */
interface Shown {
  opened: OpenedDocument;
  /** The address of the page: those of its PDF, its payment and its answer begin with it. */
  path: string;
  refused: AnswerForm['refused'];
}

/** The page of a document. */
export async function shownPage({ opened, path, refused }: Shown): Promise<Page> {
  const { printable, account } = opened;
  const isLate = refused?.reason === 'late';
  const said = printable.answer && { ...printable.answer, isOpen: printable.answer.isOpen && !isLate };
  const form = said && { answer: said, path: `${path}/answer`, seen: contentHash(printable.facts), refused };
  const isTest = account.environment === 'sandbox';
  return documentPage({
    document: await printable.print(),
    pdfPath: `${path}/pdf`,
    ...(await payingOf(opened, path)),
    attachments: await attachedTo(opened),
    isTest,
    form,
  });
}

/** The way to pay a document, and its payments. */
async function payingOf(
  { em, account, printable }: OpenedDocument,
  path: string,
): Promise<Pick<DocumentPage, 'pay' | 'payments' | 'next'>> {
  const { paying } = printable;
  if (!paying) return { pay: null, payments: [], next: null };
  const { type, document, why, owed, pen, hasPayments } = paying;
  const { pay, payDeposit } = payingWordsOf(pen.language);
  const parts = hasPayments ? await paidParts(em, { accountId: account.id, type, id: document.id }) : [];
  const label = type === 'invoice' ? pay : fill(payDeposit, { amount: pen.formats.money(owed) });
  return {
    pay: why === null ? { label, path: `${path}/pay` } : null,
    payments: printPayments(account.id, parts, pen),
    next: nextOf(paying, account),
  };
}

/** What its reader has to do, or need not do; null: the page says so elsewhere, or nothing can be said. */
function nextOf(
  { type, document, why, owed, ask, pen }: Paying,
  { name: seller }: Pick<Account, 'name'>,
): string | null {
  const words = type === 'invoice' ? payingWordsOf(pen.language) : depositWordsOf(pen.language);
  const amount = pen.formats.money(ask?.asked ?? owed);
  if (why === 'nothing_owed') return fill(words.nextPaid, { seller: pen.own(seller) });
  if (why === 'voided') return fill(words.voidedWhy, { seller: pen.own(seller) });
  if (why === 'closed') return fill(words.closedWhy, { seller: pen.own(seller) });
  if (why !== null) return null;
  if (!('dueAt' in document)) return fill(words.nextOpen, { amount });
  if (document.pending) return `${words.busyTitle}. ${words.busyWhy}`;
  if (document.autopay) return fill(words.nextAutopay, { amount });
  if (document.pastDue) return fill(words.nextLate, { amount });
  const day = ask?.askedAt ?? document.dueAt;
  return day ? fill(words.nextDue, { amount, day: pen.formats.day(new Date(day)) }) : fill(words.nextOpen, { amount });
}

/** The files that are attached to a document. */
async function attachedTo({
  em,
  account: { id: accountId },
  type,
  id,
}: OpenedDocument): Promise<DocumentPage['attachments']> {
  if (type === 'payment') return [];
  const files = await attachedFiles(em, { accountId, type, id });
  return files.map((file) => ({ name: file.name, url: fileUrl(file) }));
}

/** The address of a page that is only shown. */
const NOWHERE = '#';

/** The pages and mails that the API shows in previews. */
export const previewPages: PreviewPages = {
  ofDocument: async (opened) => inactivePage(await shownPage({ opened, path: NOWHERE, refused: null })),
  ofMail: inactiveMail,
};
