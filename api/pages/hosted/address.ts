import { timingSafeEqual } from 'node:crypto';
import { type DocumentType, documentTypes } from '../../../billing/documents/document.ts';
import { findPrintable } from '../../../commands/documents/printing.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Account } from '../../../db/schema/account.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import type { OpenedDocument } from '../../framework/apiRequest.ts';

const ADDRESS = /^(\/documents\/(\d{1,9})\/([a-z_]+)\/(\d{1,10})\/([0-9a-f]{32}))(?:\/(pdf|answer))?$/;

/** Parts of a document's public URL. Whoever knows the URL may see the document. */
export interface Address {
  accountId: number;
  type: DocumentType;
  id: number;
  token: string;
  /** Path of the document's page. */
  path: string;
  /** The requested part: the page, the PDF, or the endpoint for the answer to an estimate. */
  part: 'page' | 'pdf' | 'answer';
}

/** Parses the path of a document. Null when it is none. */
export function readAddress(path: string): Address | null {
  const [, page = '', account = '', type = '', id = '', token = '', part = 'page'] = ADDRESS.exec(path) ?? [];
  if (!isType(type) || !isPart(part) || Number(id) > LARGEST_ID) return null;
  return { accountId: Number(account), type, id: Number(id), token, path: page, part };
}

function isType(type: string): type is DocumentType {
  return documentTypes.some((known) => known === type);
}

function isPart(part: string): part is Address['part'] {
  return part === 'page' || part === 'pdf' || part === 'answer';
}

/** A document that was found by its public URL. */
export type Opened = OpenedDocument;

/** Finds the document. Null when there is none, or when the token does not match. */
export async function openDocument(em: EntityManager, address: Address, systemNow: Date): Promise<Opened | null> {
  const { accountId, type, id, token } = address;
  const account = await em.findOne(Account, { id: accountId });
  const printable = account && (await findPrintable(em, { account, type, id }, systemNow));
  if (!printable || !isToken(token, printable)) return null;
  return { account, type, id, em, printable };
}

/** Whether the token of an address is that of a document. */
export function isToken(token: string, document: { token: string }): boolean {
  return timingSafeEqual(Buffer.from(token), Buffer.from(document.token));
}
