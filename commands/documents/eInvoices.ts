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
  const file = printable.eInvoice?.();
  if (!file?.xml) throw new Refusal(file?.missing ?? 'This document has no e-invoice');
  const { heading } = await printable.print();
  return { name: fileNameOf(heading, 'xml'), text: file.xml };
}
