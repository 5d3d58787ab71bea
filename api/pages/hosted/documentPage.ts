import type { PrintedDocument } from '../../../present/printed/document.ts';
import type { PrintedPayment } from '../../../present/printed/paying/payments.ts';
import type { AnswerForm } from './answerForm.ts';

export interface DocumentPage {
  document: PrintedDocument;
  /** Path of its PDF. */
  pdfPath: string;
  /** The button to the page that pays it; null: there is nothing to pay. `label` is printed text. */
  pay: { label: string; path: string } | null;
  /** Money that payments gave to it, oldest first. */
  payments: PrintedPayment[];
  attachments: { name: string; url: string }[];
  isTest: boolean;
  /** Only on the page of an estimate. */
  form: AnswerForm | null;
}
