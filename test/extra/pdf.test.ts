import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { projectFolder } from '../suites.ts';
import { difference, differenceFrom, pageOf } from '../support/pictures.ts';
import { sampleInvoice } from '../support/printed.ts';
import { samples } from '../support/printedSamples.ts';

const KEPT = join(projectFolder, 'test', 'extra', 'golden');
const SEEN = join(projectFolder, '.data', 'pictures', 'pdf');
const DOTS_PER_INCH = 50;
/** Versions of Poppler differ in how they smooth letters. */
const TOLERANCE = 0.002;

const renderer = createPdfRenderer();
afterAll(() => renderer.close());

const pages = Object.entries(samples).flatMap(([name, { document, pages }]) =>
  pages.map((page) => ({ name: `${name}-${page}`, document, page })),
);

test.each(pages)('$name looks like the approved picture', async ({ name, document, page }) => {
  const picture = pageOf(await renderer.render(document), page, DOTS_PER_INCH);
  const seen = join(SEEN, `${name}.png`);
  expect(differenceFrom(join(KEPT, `${name}.png`), picture, seen)).toBeLessThan(TOLERANCE);
});

test('pictures of different documents differ', async () => {
  const picture = async (name: string) => {
    const sample = samples[name];
    if (!sample) throw new Error(`no sample ${name}`);
    return pageOf(await renderer.render(sample.document), 1, DOTS_PER_INCH);
  };
  expect(difference(await picture('letter'), await picture('paid'))).toBeGreaterThan(TOLERANCE);
  expect(difference(await picture('draft'), await picture('voided'))).toBeGreaterThan(TOLERANCE);
});

/** The text of the PDF of a sample, one string per page. */
function textOf(name: string): Promise<string[]> {
  const sample = samples[name];
  if (!sample) throw new Error(`no sample ${name}`);
  return textOfDocument(sample.document);
}

async function textOfDocument(document: PrintedDocument): Promise<string[]> {
  const pdf = await renderer.render(document);
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
  return text.split('\f').slice(0, -1);
}

test('an invoice of 200 lines prints all lines, and each page starts with the sum that the previous page carried forward', async () => {
  const text = await textOf('long');
  const carried = text.map((page) => /^Carried forward\s+(\S+)$/m.exec(page)?.[1]);
  const brought = text.map((page) => /^Brought forward\s+(\S+)$/m.exec(page)?.[1]);
  expect(text.map((page) => /Page (\d+) of (\d+)/.exec(page)?.slice(1))).toEqual(
    text.map((_, index) => [String(index + 1), String(text.length)]),
  );
  expect(text.length).toBeGreaterThan(5);
  expect(brought[0]).toBeUndefined();
  expect(carried.at(-1)).toBeUndefined();
  expect(brought.slice(1)).toEqual(carried.slice(0, -1));
  const { lines } = samples.long?.document ?? { lines: [] };
  const amounts = text.flatMap((page) =>
    [...page.matchAll(/\$[\d,.]+\s+(\$[\d,]+\.\d\d)$/gm)].map(([, amount]) => amount),
  );
  expect(amounts).toEqual(lines.map(({ amount }) => amount));
  // The carried sum is the sum of the lines before it.
  const cents = (amount = '') => Number(amount.replaceAll(/[^\d]/g, ''));
  const first = [...(text[0] ?? '').matchAll(/\$[\d,.]+\s+(\$[\d,]+\.\d\d)$/gm)].map(([, amount]) => cents(amount));
  expect(cents(carried[0])).toBe(first.reduce((sum, amount) => sum + amount, 0));
});

test('text can be extracted in any script', async () => {
  expect((await textOf('letter')).join()).toContain('Northwind Traders');
  expect((await textOf('japanese')).join()).toContain('北風商事株式会社');
  expect((await textOf('chinese')).join()).toContain('艾克美测量仪器有限公司');
  expect((await textOf('hebrew')).join()).toContain('INV-00001');
});

test('a Chinese paper is in one typeface besides Inter, and a Japanese one has the Japanese form of common characters', async () => {
  const fontsOf = async (name: string) => {
    const sample = samples[name];
    if (!sample) throw new Error(`no sample ${name}`);
    const input = await renderer.render(sample.document);
    const listed = execFileSync('pdffonts', ['-'], { input, encoding: 'utf8' });
    return new Set([...listed.matchAll(/^\w+\+(\w+)-/gm)].map(([, family]) => family));
  };
  expect(await fontsOf('chinese')).toEqual(new Set(['NotoSansSC', 'Inter']));
  expect(await fontsOf('japanese')).toContain('ZenKakuGothicNew');
});

test('a line of usage says its period, its units and its tier', async () => {
  const period: [Date, Date] = [new Date('2027-03-01T12:00:00Z'), new Date('2027-03-31T12:00:00Z')];
  const line = { name: 'Data', description: 'From 101', quantity: '50.5', unitCost: '0.02', period };
  const [page = ''] = await textOfDocument(printInvoice(sampleInvoice([line])));
  const words = page.replaceAll(/\s+/g, ' ');
  expect(words).toContain('From 101');
  expect(words).toMatch(/Data .*50\.5 \$0\.02 \$1\.01/);
  expect(words).toMatch(/Mar 1 – 31, 2027/);
});

test('the QR code of a transfer is read back from the page', async () => {
  const { document } = samples.pastDue ?? {};
  if (!document) throw new Error('no sample pastDue');
  const { data, width, height } = PNG.sync.read(pageOf(await renderer.render(document), 1, 150));
  const read = jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
  expect(read).toBe(document.transfer?.code?.content);
  expect(read).toContain('\nDE89370400440532013000\nEUR500.00\n');
});

test('the amounts of a PDF are those of its document', async () => {
  const spaces = /[\s\u00a0\u202f\u2009]+/g;
  for (const name of ['letter', 'german', 'pastDue', 'receipt', 'creditNote', 'estimate']) {
    const { document } = samples[name] ?? {};
    if (!document) throw new Error(`no sample ${name}`);
    const text = (await textOf(name)).join('').replaceAll(spaces, '');
    const amounts = [...document.lines.map(({ amount }) => amount), ...document.sums.map(({ value }) => value)];
    for (const amount of amounts) expect(text).toContain(amount.replaceAll(spaces, ''));
  }
});
