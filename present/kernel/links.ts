import type { DocumentType } from '../../billing/documentTypes.ts';
import { absolute } from './origin.ts';

/** A document that can be seen by everyone who knows its address. */
export interface Addressed {
  accountId: number;
  id: number;
  token: string;
}

/** URL of the document's page for customers. */
export function documentUrl(type: DocumentType, { accountId, id, token }: Addressed): string {
  return absolute(`/documents/${accountId}/${type}/${id}/${token}`);
}

/** URL of its PDF. */
export function pdfUrl(type: DocumentType, document: Addressed): string {
  return `${documentUrl(type, document)}/pdf`;
}
