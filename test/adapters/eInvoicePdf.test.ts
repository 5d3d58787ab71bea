import { afterAll, expect, test } from '@jest/globals';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { sampleInvoice } from '../support/printed.ts';

const renderer = createPdfRenderer();
const printed = { ...printInvoice(sampleInvoice([{ name: 'Hours', unitCost: '100' }])), eInvoice: '<x/>' };
afterAll(() => renderer.close());

/** Whether a PDF has the e-invoice as a file, and whether it says that it is PDF/A-3 with Factur-X. */
async function carried(document: PrintedDocument): Promise<{ file: boolean; archive: boolean }> {
  const text = Buffer.from(await renderer.render(document)).toString('latin1');
  const archive = text.includes('<pdfaid:part>3<') && text.includes('<fx:DocumentFileName>factur-x.xml<');
  return { file: text.includes('(factur-x.xml)'), archive };
}

test('a text with a letter that no font has is plain PDF, which carries the e-invoice all the same', async () => {
  expect(await carried(printed)).toEqual({ file: true, archive: true });
  expect(await carried({ ...printed, seller: { ...printed.seller, name: 'Ra \u{13080}' } })).toEqual({
    file: true,
    archive: false,
  });
  const { eInvoice: _, ...without } = printed;
  expect(await carried(without)).toEqual({ file: false, archive: false });
});

test('a name with words of the PDF format changes nothing', async () => {
  const seller = { ...printed.seller, name: 'endobj endstream 1 0 obj << /Length 3 >> stream' };
  expect(await carried({ ...printed, seller })).toEqual({ file: true, archive: true });
});
