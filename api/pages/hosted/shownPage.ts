import { contentHash } from '../../../commands/documents/pdfs.ts';
import { attachedFiles } from '../../../db/queries/files/files.ts';
import { paidParts } from '../../../db/queries/invoices/paidParts.ts';
import { fileUrl } from '../../../present/files/file.ts';
import { fill } from '../../../present/printed/labels.ts';
import { printPayments } from '../../../present/printed/paying/rows.ts';
import { payingWordsOf } from '../../../present/printed/paying/words.ts';
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
): Promise<Pick<DocumentPage, 'pay' | 'payments'>> {
  const { paying } = printable;
  if (!paying) return { pay: null, payments: [] };
  const { type, document, why, owed, pen, hasPayments } = paying;
  const { pay, payDeposit } = payingWordsOf(pen.language);
  const parts = hasPayments ? await paidParts(em, { accountId: account.id, type, id: document.id }) : [];
  const label = type === 'invoice' ? pay : fill(payDeposit, { amount: pen.formats.money(owed) });
  return {
    pay: why === null ? { label, path: `${path}/pay` } : null,
    payments: printPayments(account.id, parts, pen),
  };
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
