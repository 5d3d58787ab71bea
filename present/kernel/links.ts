import type { DocumentType } from '../../billing/documentTypes.ts';
import { absolute } from './origin.ts';

/** A document with a public URL. Its token makes the URL hard to guess. */
export interface Addressed {
  accountId: number;
  id: number;
  token: string;
}

/** URL of the document's public page. */
export function documentUrl(type: DocumentType, { accountId, id, token }: Addressed): string {
  return absolute(`/documents/${accountId}/${type}/${id}/${token}`);
}

/** URL of the document's PDF. */
export function pdfUrl(type: DocumentType, document: Addressed): string {
  return `${documentUrl(type, document)}/pdf`;
}

/** URL of the page on which a customer pays an invoice, whether or not anything is left to pay. */
export function payUrlOf(invoice: Addressed): string {
  return `${documentUrl('invoice', invoice)}/pay`;
}
