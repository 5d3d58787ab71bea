import { afterAll, expect, test } from '@jest/globals';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { PrintedDocument } from '../../commands/ports.ts';
import { eInvoices } from '../support/eInvoices.ts';

const renderer = createPdfRenderer();
afterAll(() => renderer.close());

/** Whether a PDF has the e-invoice as a file, and whether it says that it is PDF/A-3 with Factur-X. */
async function carried(document: PrintedDocument): Promise<{ file: boolean; archive: boolean }> {
  const text = Buffer.from(await renderer.render(document)).toString('latin1');
  const archive = text.includes('<pdfaid:part>3<') && text.includes('<fx:DocumentFileName>factur-x.xml<');
  return { file: text.includes('(factur-x.xml)'), archive };
}

test('a text with a letter that no font has is plain PDF, which carries the e-invoice all the same', async () => {
  const { greek } = eInvoices;
  if (!greek) throw new Error('no such sample');
  expect(await carried(greek)).toEqual({ file: true, archive: true });
  expect(await carried({ ...greek, seller: { ...greek.seller, name: 'Ra \u{13080}' } })).toEqual({
    file: true,
    archive: false,
  });
  const { eInvoice: _, ...without } = greek;
  expect(await carried(without)).toEqual({ file: false, archive: false });
});

test('a name with words of the PDF format changes nothing', async () => {
  const { greek } = eInvoices;
  if (!greek) throw new Error('no such sample');
  const seller = { ...greek.seller, name: 'endobj endstream 1 0 obj << /Length 3 >> stream' };
  expect(await carried({ ...greek, seller })).toEqual({ file: true, archive: true });
});
