import { defineEntity, p } from '@mikro-orm/core';
import { type DocumentType, documentTypes } from '../../billing/documents/document.ts';
import { named, policiesByType } from '../tenant.ts';
import { tenantKey } from './columns.ts';

const DocumentPdfSchema = defineEntity({
  name: 'DocumentPdf',
  policies: policiesByType('document_pdf', { type: 'document_type', id: 'document_id', tables: named(documentTypes) }),
  comment: 'A PDF of a document, stored when it is first made: the same content always gives the same bytes',
  properties: {
    ...tenantKey,
    documentType: p.string().length(16).$type<DocumentType>(),
    documentId: p.integer(),
    /** Hash of the printed content, hexadecimal. */
    contentHash: p.string().length(64),
    /** Hash of the bytes, hexadecimal. */
    sha256: p.string().length(64),
    /** File name: "Invoice INV-00001.pdf". */
    name: p.string().length(255),
    bytes: p.blob(),
    /** The XML of the e-invoice that it carries; null: it carries none, or an earlier version stored it. */
    xml: p.text().nullable(),
    /** Real time. */
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'document_pdf_content', properties: ['accountId', 'documentType', 'documentId', 'contentHash'] }],
});
export class DocumentPdf extends DocumentPdfSchema.class {}
DocumentPdfSchema.setClass(DocumentPdf);
