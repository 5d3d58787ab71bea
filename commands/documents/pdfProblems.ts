import type { DocumentType } from '../../billing/documents/document.ts';
import { Unprintable } from '../../billing/failures.ts';
import { problemBackoff } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type PdfProblem, pdfSubject } from '../../db/queries/documents/printed.ts';
import { reportContent } from '../../db/queries/processes/problems.ts';
import { Problem } from '../../db/schema/problem.ts';

/** A version of a document's content. */
export interface PdfContent {
  accountId: number;
  documentType: DocumentType;
  documentId: number;
  contentHash: string;
}

/** Whether a problem is about this content. Another content of the document may be printable. */
function isAbout(problem: PdfProblem | null, { contentHash }: PdfContent): problem is PdfProblem {
  return problem?.content === shortOf(contentHash);
}

function shortOf(contentHash: string): string {
  return contentHash.slice(0, 16);
}

/** Throws Unprintable if the content failed and its next try is not due, so that repeated requests cause no rendering. */
export function refuseUnprintable(content: PdfContent, problem: PdfProblem | null, systemNow: Date): void {
  if (isAbout(problem, content) && problem.nextTryAt * 1000 > systemNow.getTime())
    throw new Unprintable('content', problem.message, problem.tries);
}

/** Records that a PDF could not be rendered. Returns the error with the number of tries. */
export async function reportUnprintable(
  em: EntityManager,
  { content, problem, error }: { content: PdfContent; problem: PdfProblem | null; error: Unprintable },
  systemNow: Date,
): Promise<Unprintable> {
  const short = shortOf(content.contentHash);
  const step = `make the PDF of content ${short}`;
  const tries = isAbout(problem, content) ? problem.tries + 1 : 1;
  const nextTryAt = new Date(systemNow.getTime() + problemBackoff(tries));
  const { accountId, documentType, documentId: subjectId } = content;
  const subject = { accountId, subjectType: pdfSubject(documentType), subjectId };
  await reportContent(em, { ...subject, step, content: short, message: error.message, tries, nextTryAt }, systemNow);
  return new Unprintable(error.reason, error.message, tries);
}

/** Closes the problem of a document whose PDF was rendered, or that was deleted. */
export async function closePdfProblem(
  em: EntityManager,
  { accountId, documentType, documentId }: Omit<PdfContent, 'contentHash'>,
  systemNow: Date,
): Promise<void> {
  const subject = { accountId, subjectType: pdfSubject(documentType), subjectId: documentId };
  await em.nativeUpdate(Problem, { ...subject, closedAt: null }, { closedAt: systemNow, nextTryAt: null });
}
