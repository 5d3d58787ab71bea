import { Unprintable } from '../../billing/failures.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { PdfRenderer } from '../ports/ports.ts';
import { fileNameOf, pdfOf } from './pdfs.ts';
import type { Named, Printable } from './printing.ts';

/** An XML file. */
export interface XmlFile {
  /** File name, such as "Invoice INV-00001.xml". */
  name: string;
  text: string;
}

/**
 * The e-invoice of an invoice or a credit note: the XML that the stored PDF of this content carries, so that both stay the same. Throws a
 * Refusal with the reason if it has none. Throws Overload.
 */
export async function eInvoiceFile(
  printing: { em: EntityManager; pdf: PdfRenderer },
  what: Named & { printable: Printable },
  systemNow: Date,
): Promise<XmlFile> {
  const { printable } = what;
  const file = printable.eInvoice?.();
  if (!file?.xml) throw new Refusal('state_conflict', file?.missing ?? 'This document has no e-invoice');
  const { heading } = await printable.print();
  return { name: fileNameOf(heading, 'xml'), text: (await keptXml(printing, what, systemNow)) ?? file.xml };
}

/** The XML of the stored PDF. Null: an earlier version stored it, or it cannot be rendered. */
async function keptXml(...asked: Parameters<typeof pdfOf>): Promise<string | null> {
  try {
    return (await pdfOf(...asked)).xml;
  } catch (error) {
    if (error instanceof Unprintable) return null;
    throw error;
  }
}
