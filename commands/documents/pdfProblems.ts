import type { DocumentType } from '../../billing/documents/document.ts';
import { Unprintable } from '../../billing/failures.ts';
import { problemBackoff } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type PdfProblem, pdfSubject } from '../../db/queries/documents/printed.ts';
import { OPEN_ONCE } from '../../db/schema/problem.ts';

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
  const { accountId, documentType, documentId } = content;
  await em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, content, message, since, updated_at, tries, next_try_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ${OPEN_ONCE}
     do update set step = excluded.step, content = excluded.content, message = excluded.message, updated_at = excluded.updated_at,
       tries = excluded.tries, next_try_at = excluded.next_try_at`,
    [
      accountId,
      pdfSubject(documentType),
      documentId,
      step,
      short,
      error.message,
      systemNow,
      systemNow,
      tries,
      nextTryAt,
    ],
  );
  return new Unprintable(error.reason, error.message, tries);
}

/** Closes the problem of a document whose PDF was rendered, or that was deleted. */
export async function closePdfProblem(
  em: EntityManager,
  { accountId, documentType, documentId }: Omit<PdfContent, 'contentHash'>,
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `update problem set closed_at = ?, next_try_at = null
     where account_id = ? and subject_type = ? and subject_id = ? and closed_at is null`,
    [systemNow, accountId, pdfSubject(documentType), documentId],
  );
}
