import type { PrintedDocument } from '../../../present/printed/document.ts';
import type { AnswerForm } from './answerForm.ts';

export interface DocumentPage {
  document: PrintedDocument;
  /** Path of its PDF. */
  pdfPath: string;
  isTest: boolean;
  /** Only on the page of an estimate. */
  form: AnswerForm | null;
}
