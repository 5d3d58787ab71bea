import { documentTypes } from '../../billing/documents/document.ts';
import { Unprintable } from '../../billing/failures.ts';
import type { EntityManager } from '../../db/orm.ts';
import { pdfSubject } from '../../db/queries/documents/printed.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Problem } from '../../db/schema/problem.ts';
import type { PdfRenderer } from '../ports/ports.ts';
import { closePdfProblem } from './pdfProblems.ts';
import { pdfOf } from './pdfs.ts';
import { findPrintable } from './printing.ts';

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
