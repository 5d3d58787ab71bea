import { expect, test } from '@jest/globals';
import { createPdfRenderer } from '../../../adapters/pdf/renderer.ts';
import { countCharacters } from '../../../billing/look/printedLength.ts';
import { printInvoice } from '../../../present/printed/invoice.ts';
import { sampleDiscount, sampleInvoice, sampleTax } from '../../support/printed.ts';

/** Characters of many scripts, characters that no font has, and very long words. */
const WORST = ['\u{10400}\u{13000}', 'x', 'aش測ชà😀 ', 'ชั่วโมง', 'ש1a', 'a\u0301\u0302', '1,'].map((unit) => [
  ...unit.repeat(200),
]);

test('any 200,000 characters are typeset within 10 s of processor time', async () => {
  const worst = Array.from({ length: 1000 }, (_, index) => {
    const text = (WORST[index % WORST.length] ?? []).slice(index % 7).slice(0, 196);
    return { name: String(index), description: text.join(''), unitCost: '1' };
  });
  const broken = worst.map(({ name }) => ({ name, description: 'a\n'.repeat(9), unitCost: '1' }));
  // 1,000 lines with five discounts and taxes each, the most that a document may have. Each counts its name and a line break of 20.
  const adjusted = worst.map(({ name, description }, index) => {
    const text = (rate: number) => `${rate}.${index} ${description}`.slice(0, 19);
    const discounts = [0, 1].map((rate) => sampleDiscount(text(rate), 1, '0.01'));
    const taxes = [2, 3, 4].map((rate) => ({ ...sampleTax(text(rate), 1, '0.01'), rateKey: 5 * index + rate }));
    return { name, description: null, unitCost: '1', discounts, taxes };
  });
  expect(countCharacters(adjusted)).toBeGreaterThan(195_000);
  for (const lines of [worst, broken, adjusted]) {
    const renderer = createPdfRenderer({ children: 1, processorTime: 10_000, deadline: 300_000 });
    const rendered = renderer.render(printInvoice(sampleInvoice(lines))).finally(() => renderer.close());
    expect((await rendered).length).toBeGreaterThan(50_000);
  }
});
