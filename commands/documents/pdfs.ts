import { createHash } from 'node:crypto';
import { documentTypes } from '../../billing/documents/document.ts';
import { Unprintable } from '../../billing/failures.ts';
import { plainFileName } from '../../billing/look/fileName.ts';
import { hasVisible, hiddenIn } from '../../billing/look/visibleText.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { pdfSubject } from '../../db/queries/documents/printed.ts';
import { keptPdf, storePdf } from '../../db/queries/documents/stored.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Problem } from '../../db/schema/problem.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { templated } from '../../present/printed/template.ts';
import type { PdfRenderer } from '../ports/pdf.ts';
import { closePdfProblem, refuseUnprintable, reportUnprintable } from './pdfProblems.ts';
import { findPrintable, type Named, type Printable } from './printing.ts';

export interface Pdf {
  /** File name, such as "Invoice INV-00001.pdf". */
  name: string;
  bytes: Uint8Array;
  /** SHA-256 of the bytes, hexadecimal. */
  sha256: string;
  /** The XML of the e-invoice that it carries; null: none, or an earlier version stored it. */
  xml: string | null;
}

interface Printing {
  em: EntityManager;
  pdf: PdfRenderer;
}

/**
 * The PDF of a document's current content, with the XML that it carries. Stores the first rendering of each content, so that the bytes stay the same when template, fonts
 * or code change. The PDF of a draft or a withheld receipt is not stored. Reading, rendering and storing run in separate transactions.
 * Throws Unprintable when rendering fails, and records a problem of the document, which is closed when a rendering succeeds.
 */
export async function pdfOf(
  { em, pdf }: Printing,
  what: Named & { printable: Printable },
  systemNow: Date,
): Promise<Pdf> {
  const { account, type, id, printable } = what;
  const { pdfProblem: problem } = printable;
  const hash = contentHash(printable.facts);
  const key = { accountId: account.id, documentType: type, documentId: id, contentHash: hash };
  const kept = printable.hasPdf ? await keptOf(em, key, printable) : null;
  if (kept) return kept;
  refuseUnprintable(key, problem, systemNow);
  const document = templated(await printable.print(), printable.pdfTemplate);
  const eInvoice = printable.eInvoice?.().xml ?? undefined;
  const made = await renderPdf(pdf, { ...document, eInvoice }, account.id).catch(async (error: unknown) => {
    if (!(error instanceof Unprintable)) throw error;
    throw await reportUnprintable(em, { content: key, problem, error }, systemNow);
  });
  if (problem) await closePdfProblem(em, key, systemNow);
  if (!printable.isDocument) return made;
  const isFirst = await storePdf(em, { ...key, ...made, createdAt: systemNow });
  return isFirst ? made : ((await keptPdf(em, key)) ?? made);
}

/** Renders a PDF for an account. It is not stored. Throws Unprintable and Overload. */
export async function renderPdf(pdf: PdfRenderer, document: PrintedDocument, accountId: number): Promise<Pdf> {
  const bytes = Buffer.from(await pdf.render(document, accountId));
  return { name: fileNameOf(document.heading), bytes, sha256: sha256(bytes), xml: document.eInvoice ?? null };
}

/** The stored PDF of a content, or the one that an earlier version stored for it. */
async function keptOf(
  em: EntityManager,
  key: Parameters<typeof keptPdf>[1],
  { earlierFacts }: Printable,
): Promise<Pdf | null> {
  for (const hash of new Set([key.contentHash, ...earlierFacts.map(contentHash)])) {
    const kept = await keptPdf(em, { ...key, contentHash: hash });
    if (kept) return kept;
  }
  return null;
}

const LONGEST_NAME = 240;

/** File name of a document. */
export function fileNameOf(heading: string, ending: 'pdf' | 'xml' = 'pdf'): string {
  return `${plainFileName(heading.replaceAll(/[/\\]/g, '-')).slice(0, LONGEST_NAME)}.${ending}`;
}

/**
 * SHA-256 of a printed content, hexadecimal. Leaves unset fields out, so that a new field does not change the hash of documents without it.
 */
export function contentHash(facts: object): string {
  return sha256(JSON.stringify(facts, (_, value: unknown) => value ?? undefined));
}

function sha256(what: string | Uint8Array): string {
  return createHash('sha256').update(what).digest('hex');
}

/**
 * Renders the PDF of a document with an open problem whose next try is due. A new failure updates the problem. Closes the problem if the
 * document no longer exists.
 */
export async function retryPdf(
  { em, pdf }: { em: EntityManager; pdf: PdfRenderer },
  { account, problem }: { account: Account; problem: Pick<Problem, 'subjectType' | 'subjectId'> },
  systemNow: Date,
): Promise<void> {
  const type = documentTypes.find((name) => pdfSubject(name) === problem.subjectType);
  if (!type) return;
  const named = { account, type, id: problem.subjectId };
  const printable = await findPrintable(em, named, systemNow);
  const key = { accountId: account.id, documentType: type, documentId: named.id };
  if (!printable) return closePdfProblem(em, key, systemNow);
  await pdfOf({ em, pdf }, { ...named, printable }, systemNow).catch((error: unknown) => {
    if (!(error instanceof Unprintable)) throw error;
  });
}

const MOST_INITIALS = 10;
const LONGEST_USER_AGENT = 500;

/** The initials that a customer typed. Refuses anything but up to ten visible letters, points, spaces and hyphens. */
export function initialsIn(typed: string): string {
  const initials = typed.trim();
  const isVisible = hasVisible(initials) && hiddenIn(initials) === null;
  if (!isVisible || initials.length > MOST_INITIALS || !/^[\p{L}\p{M}][\p{L}\p{M}. -]*$/u.test(initials)) {
    throw new Refusal('parameter_invalid', `Initials must be up to ${MOST_INITIALS} letters`, 'initials');
  }
  return initials;
}

/** The name of a customer's browser as it is kept. */
export function userAgentIn(userAgent: string | null): string | null {
  return userAgent?.slice(0, LONGEST_USER_AGENT) ?? null;
}
