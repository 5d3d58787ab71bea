import { afterAll, expect, test } from '@jest/globals';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { breakable, widest } from '../../adapters/pdf/words.ts';
import { type PrintableInvoice, printInvoice } from '../../present/printed/invoice.ts';
import { acme, sampleInvoice } from '../support/printed.ts';

const renderer = createPdfRenderer();
afterAll(() => renderer.close());

const lines = [{ name: 'Support hour', quantity: '2', unitCost: '120' }];
const pdfOf = (printable: PrintableInvoice) => renderer.render(printInvoice(printable));

test('the same document gives the same PDF, in another process and after other documents', async () => {
  const first = await pdfOf(sampleInvoice(lines));
  const other = await pdfOf(sampleInvoice([{ name: 'Support hour', quantity: '3', unitCost: '120' }]));
  const elsewhere = createPdfRenderer();
  const again = await elsewhere.render(printInvoice(sampleInvoice(lines)));
  elsewhere.close();
  expect(Buffer.from(first.subarray(0, 5)).toString()).toBe('%PDF-');
  expect(Buffer.from(again).equals(Buffer.from(first))).toBe(true);
  expect(Buffer.from(await pdfOf(sampleInvoice(lines))).equals(Buffer.from(first))).toBe(true);
  expect(Buffer.from(other).equals(Buffer.from(first))).toBe(false);
});

test("a PDF has its document's date, not the date of its creation", async () => {
  const text = Buffer.from(await pdfOf(sampleInvoice(lines))).toString('latin1');
  expect(text).toContain('D:20270105150000');
  expect(text).not.toContain(`D:${new Date().getUTCFullYear()}`);
});

test('several documents are typeset at the same time by several processes', async () => {
  const several = createPdfRenderer({ children: 2 });
  const wanted = ['1', '2', '3', '4', '5', '6'].map((quantity) =>
    sampleInvoice([{ name: 'Hour', quantity, unitCost: '9' }]),
  );
  const set = await Promise.all(wanted.map((printable) => several.render(printInvoice(printable))));
  several.close();
  expect(new Set(set.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(6);
});

test('an invalid document is refused with the reason, and the next document is typeset', async () => {
  const broken = { ...printInvoice(sampleInvoice(lines)), accent: 'no colour' };
  await expect(renderer.render(broken)).rejects.toThrow(/Typst: .*color string/);
  expect((await pdfOf(sampleInvoice(lines))).length).toBeGreaterThan(5000);
});

test('many scripts, very long words and 1,000 lines are typeset', async () => {
  const names = [
    'サポート時間',
    '测量仪器',
    '지원 시간',
    'ساعة دعم',
    'שעת תמיכה',
    'ชั่วโมง',
    'सहायता',
    'Ωμέγα',
    'x'.repeat(255),
  ];
  const between = { seller: { ...acme, country: 'DE' }, buyer: null, language: 'ar' };
  const many = Array.from({ length: 1000 }, (_, index) => ({
    name: names[index % names.length] ?? null,
    unitCost: '1',
  }));
  expect((await pdfOf(sampleInvoice(many, {}, between))).length).toBeGreaterThan(50_000);
});

test('very long words get places to break; other words, and scripts that break anywhere, get none', () => {
  const short = 'Support hour, 2027: https://billing.example';
  expect(breakable(short)).toBe(short);
  expect(breakable('測'.repeat(100))).toBe('測'.repeat(100));
  expect(breakable('x'.repeat(30)).split('\u200b')).toEqual(['x'.repeat(13), 'x'.repeat(13), 'x'.repeat(4)]);
});

test('the widest entry of a column is its longest', () => {
  const { lines: printed } = printInvoice(
    sampleInvoice([
      { name: 'a', unitCost: '1' },
      { name: 'b', quantity: '1000', unitCost: '1.25' },
    ]),
  );
  expect([widest(printed, 'quantity'), widest(printed, 'unitCost'), widest(printed, 'amount')]).toEqual([
    '1,000',
    '$1.00',
    '$1,250.00',
  ]);
});
