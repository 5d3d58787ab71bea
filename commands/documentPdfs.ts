import { createHash } from 'node:crypto';
import { plainFileName } from '../billing/fileName.ts';
import type { EntityManager } from '../db/orm.ts';
import { DocumentPdf } from '../db/schema/documentPdf.ts';
import type { PdfRenderer } from './ports.ts';
import type { Named, Printable } from './printing.ts';

export interface Pdf {
  /** "Invoice INV-00001.pdf" */
  name: string;
  bytes: Uint8Array;
  /** Of the bytes; hexadecimal. */
  sha256: string;
}

interface Printing {
  em: EntityManager;
  pdf: PdfRenderer;
}

/**
 * The PDF of a document as it is now. The first one is kept: while what is printed of the document is the same, so are its bytes,
 * whatever became of the product, the template, the fonts. A draft's is not kept. Reads, renders and keeps in no common transaction.
 */
export async function pdfOf(
  { em, pdf }: Printing,
  what: Named & { printable: Printable },
  systemNow: Date,
): Promise<Pdf> {
  const { account, type, id, printable } = what;
  const hash = contentHash(printable.facts);
  const key = { accountId: account.id, documentType: type, documentId: id, contentHash: hash };
  const kept = printable.isDocument ? await em.findOne(DocumentPdf, key) : null;
  if (kept) return kept;
  const document = await printable.print();
  const bytes = Buffer.from(await pdf.render(document));
  const made = { name: fileNameOf(document.heading), bytes, sha256: sha256(bytes) };
  if (!printable.isDocument) return made;
  const row = { ...key, ...made, createdAt: systemNow };
  await em.fork().upsert(DocumentPdf, row, { onConflictAction: 'ignore', onConflictFields: [...contentKey] });
  return em.findOneOrFail(DocumentPdf, key);
}

const contentKey = ['accountId', 'documentType', 'documentId', 'contentHash'] as const;
const LONGEST_NAME = 240;

function fileNameOf(heading: string): string {
  return `${plainFileName(heading.replaceAll(/[/\\]/g, '-')).slice(0, LONGEST_NAME)}.pdf`;
}

/** Tells contents of documents apart. What is unset says nothing: a fact that later versions print changes no document that does not have it. */
export function contentHash(facts: object): string {
  return sha256(JSON.stringify(facts, (_, value: unknown) => value ?? undefined));
}

function sha256(what: string | Uint8Array): string {
  return createHash('sha256').update(what).digest('hex');
}
