import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { PrintedDocument } from '../../commands/ports.ts';
import { eInvoices } from '../support/eInvoices.ts';

/** Mustang checks the XML by its schema and by the rules of EN 16931 and Factur-X, and the PDF by veraPDF as PDF/A-3. */

const run = promisify(execFile);
const renderer = createPdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'e-invoices-'));
afterAll(() => {
  renderer.close();
  rmSync(folder, { recursive: true });
});

/** The parts of a file that Mustang judges (the PDF, its XML, all), and the errors that it names. */
async function verdictOf(name: string, content: Uint8Array | string): Promise<{ parts: string[]; errors: string[] }> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const jar = process.env.PERENNIAL_TEST_MUSTANG ?? '';
  const flags = ['--disable-file-logging', '--no-notices', '--action', 'validate', '--source', file];
  // It exits with an error for an invalid file.
  const { stdout } = await run('java', ['-jar', jar, ...flags], { maxBuffer: 2 ** 26 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const parts = [...stdout.matchAll(/<summary status="(\w+)"\/>/g)].map(([, status = '']) => status);
  return { parts, errors: [...stdout.matchAll(/<error[^>]*>([^<]*)</g)].map(([, message = '']) => message) };
}

function greek(): PrintedDocument {
  if (!eInvoices.greek) throw new Error('no such sample');
  return eInvoices.greek;
}

test.each(Object.keys(eInvoices))('the PDF of the document %s is valid Factur-X in a valid PDF/A-3', async (name) => {
  const document = eInvoices[name] ?? greek();
  const { parts, errors } = await verdictOf(`${name}.pdf`, await renderer.render(document));
  expect({ parts, errors }).toEqual({ parts: ['valid', 'valid', 'valid'], errors: [] });
});

test('Mustang finds a wrong total in XML, and a PDF that is not PDF/A-3', async () => {
  const wrong = greek().eInvoice?.replaceAll('>357.00<', '>358.00<') ?? '';
  expect((await verdictOf('wrong.xml', wrong)).parts).toContain('invalid');
  // A letter that no font has: plain PDF.
  const plain = { ...greek(), seller: { ...greek().seller, name: 'Ra \u{13080}' } };
  expect((await verdictOf('plain.pdf', await renderer.render(plain))).parts).toContain('invalid');
});
