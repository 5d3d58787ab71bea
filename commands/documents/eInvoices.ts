import { Refusal } from '../../billing/refusal.ts';
import { fileNameOf } from './pdfs.ts';
import type { Printable } from './printing.ts';

/** An XML file. */
export interface XmlFile {
  /** File name, such as "Invoice INV-00001.xml". */
  name: string;
  text: string;
}

/** The e-invoice of an invoice or a credit note. Throws a Refusal with the reason if it has none. */
export async function eInvoiceFile(printable: Printable): Promise<XmlFile> {
  const { eInvoice, heading } = await printable.print();
  if (!eInvoice?.xml) throw new Refusal(eInvoice?.missing ?? 'This document has no e-invoice');
  return { name: fileNameOf(heading, 'xml'), text: eInvoice.xml };
}
