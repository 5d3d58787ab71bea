import type { DocumentType } from '../../billing/documents/document.ts';
import { Unprintable } from '../../billing/failures.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Email, MailedDocument, MailedFile } from '../../db/schema/email.ts';
import type { Attachment } from '../../db/schema/file.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import type { LetterFacts } from '../../present/emails/letter.ts';
import type { Link } from '../../present/emails/parts.ts';
import { fileUrl } from '../../present/files/file.ts';
import type { lineVariables, sumVariables } from '../../present/variables/documents.ts';
import type { ViewOf } from '../../present/variables/kinds.ts';
import type { ChosenTemplate } from '../catalog/namedEmailTemplates.ts';
import { attachmentsOf, type Carrier } from '../files/attachments.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { readerIn } from '../mail/reader.ts';
import { recipientsOf } from '../mail/recipients.ts';
import { queueMails, recipientsFor, type Sending } from '../mail/sending.ts';
import type { PdfRenderer } from '../ports/pdf.ts';
import { fileNameOf, pdfOf } from './pdfs.ts';
import { findPrintable, type Named, type Printable } from './printing.ts';

export interface DocumentMailing {
  sending: Sending;
  template: ChosenTemplate;
  document: MailedDocument;
  carrier: Carrier;
  render(facts: LetterFacts): RenderedEmail;
}

/** Queues the mails of a document of a locked customer, with its PDF and files. Refuses when there are no recipients. */
export async function sendDocument(em: EntityManager, locked: LockedCustomer, what: DocumentMailing): Promise<Email[]> {
  const { sending, template, document, carrier, render } = what;
  const { customer, moment } = locked;
  const { account: seller } = moment.caller;
  const recipients = await recipientsFor(sending, () => recipientsOf(em, customer));
  const { files, links } = await mailedFiles(em, seller.id, carrier);
  const { bcc, subject, message } = sending;
  return queueMails(em, locked, {
    template,
    recipients,
    bcc,
    files,
    document,
    render: (to) => render({ seller, customer: readerIn(customer, template.language), to, subject, message, links }),
  });
}

/** Refuses to send a draft or a voided document. */
export function refuseUnissued(name: 'Invoice' | 'Estimate' | 'Credit note', { status }: { status: string }): void {
  if (status === 'draft') throw new Refusal('state_conflict', `${name} is a draft: issue it first`);
  if (status === 'voided') throw new Refusal('state_conflict', `${name} is voided`);
}

/** When a document was sent after a request that marks it as sent or not sent; undefined: unchanged. Refuses to mark a draft as sent. */
export function newSentAt(
  document: { sentAt?: Date | null | undefined; issuedAt?: Date | null | undefined },
  { isSent, isIssued, now }: { isSent?: boolean | undefined; isIssued: boolean; now: Date },
): Date | null | undefined {
  if (isSent === undefined || isSent === Boolean(document.sentAt)) return undefined;
  if (isSent && !document.issuedAt && !isIssued)
    throw new Refusal('state_conflict', 'A draft cannot be sent: issue it first', 'sent');
  return isSent ? now : null;
}

/** Maximum size of all attached files of a mail, in bytes. Mail servers refuse large mails, and Base64 adds a third. */
const MOST_BYTES = 10 * 1024 * 1024;

/** The files of a document as attachments and links of its mail. */
export async function mailedFiles(em: EntityManager, accountId: number, carrier: Carrier): Promise<FilesOfMail> {
  return filesOfMail(await attachmentsOf(em, accountId, carrier));
}

interface FilesOfMail {
  files: MailedFile[];
  links: Link[];
}

/** Splits a document's files into attachments and links. Files stored elsewhere and files beyond the limit become links. */
function filesOfMail(attachments: readonly Attachment[]): FilesOfMail {
  const files: MailedFile[] = [];
  const links: Link[] = [];
  let room = MOST_BYTES;
  for (const { file } of attachments) {
    const { name, storeKey, type } = file;
    const size = file.size ?? 0;
    if (storeKey && size <= room) {
      room -= size;
      files.push({ name, type: type ?? 'application/octet-stream', size, storeKey });
    } else links.push({ label: name, href: fileUrl(file) });
  }
  return { files, links };
}

/** An XML file. */
export interface XmlFile {
  /** File name, such as "Invoice INV-00001.xml". */
  name: string;
  text: string;
}

/**
 * The e-invoice of an invoice or a credit note: the XML that the stored PDF of this content carries, so that both stay the same. Throws a
 * Refusal with the reason if it has none. Throws Overload.
 */
export async function eInvoiceFile(
  printing: { em: EntityManager; pdf: PdfRenderer },
  what: Named & { printable: Printable },
  systemNow: Date,
): Promise<XmlFile> {
  const { printable } = what;
  const file = printable.eInvoice?.();
  if (!file?.xml) throw new Refusal('state_conflict', file?.missing ?? 'This document has no e-invoice');
  const { heading } = await printable.print();
  return { name: fileNameOf(heading, 'xml'), text: (await keptXml(printing, what, systemNow)) ?? file.xml };
}

/** The XML of the stored PDF. Null: an earlier version stored it, or it cannot be rendered. */
async function keptXml(...asked: Parameters<typeof pdfOf>): Promise<string | null> {
  try {
    return (await pdfOf(...asked)).xml;
  } catch (error) {
    if (error instanceof Unprintable) return null;
    throw error;
  }
}

/** The lines and sums of a document, as customized emails show them. */
export interface MailedContent {
  lines: ViewOf<typeof lineVariables>[];
  sums: ViewOf<typeof sumVariables>[];
}

/** The lines and sums of a document for a customized email, in its language; null: it has none, or no longer exists. */
export async function mailedLines(
  em: EntityManager,
  {
    account,
    document,
    language,
  }: { account: Account; document: { type: DocumentType; id: number } | null; language: string },
  systemNow: Date,
): Promise<MailedContent | null> {
  const printable =
    document && document.type !== 'payment'
      ? await findPrintable(em, { account, ...document, language }, systemNow)
      : null;
  const printed = await printable?.print();
  if (!printed) return null;
  return {
    lines: printed.lines.map(({ unitCost, name, quantity, amount, discounts }) => {
      return { name, quantity, unit_cost: unitCost, amount, discounts };
    }),
    sums: printed.sums.map(({ label, value }) => ({ label, value })),
  };
}
