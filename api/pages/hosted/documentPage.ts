import type { PrintedDocument } from '../../../present/printed/document.ts';
import type { PrintedInstallment } from '../../../present/printed/paying/installments.ts';
import type { PrintedPayment } from '../../../present/printed/paying/payments.ts';
import type { AnswerForm } from './answerForm.ts';

export interface DocumentPage {
  document: PrintedDocument;
  /** Path of its PDF. */
  pdfPath: string;
  /** Path of the page that pays it; null: there is nothing to pay. */
  payPath: string | null;
  /** Money that payments gave to it, oldest first. */
  payments: PrintedPayment[];
  /** The installments of the payment plan that collects it, in the order in which payments fill them. */
  installments: PrintedInstallment[];
  attachments: { name: string; url: string }[];
  isTest: boolean;
  /** Only on the page of an estimate. */
  form: AnswerForm | null;
}
