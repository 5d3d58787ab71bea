import { absolute } from './origin.ts';

/** A document that whoever knows its address may see. */
export interface Addressed {
  accountId: number;
  id: number;
  token: string;
}

/** Kinds of documents, as their addresses name them. */
export type AddressedType = 'invoice' | 'estimate' | 'credit_note' | 'payment';

/** Where the customer sees a document. */
export function documentUrl(type: AddressedType, { accountId, id, token }: Addressed): string {
  return absolute(`/documents/${accountId}/${type}/${id}/${token}`);
}

/** Its PDF. */
export function pdfUrl(type: AddressedType, document: Addressed): string {
  return `${documentUrl(type, document)}/pdf`;
}
