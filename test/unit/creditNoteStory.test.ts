import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AddedCredit,
  availableOf,
  type NoteFacts,
  type NoteStory,
  storyOf,
} from '../../billing/documents/creditNoteStory.ts';
import { formatsOf } from '../../present/printed/formats.ts';
import { storySentences, storySums } from '../../present/printed/noteStory.ts';
import { accountingWordsOf } from '../../words/accounting/words.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { spokenLanguages } from '../../words/languages.ts';

fc.configureGlobal({ seed: 20271128 });

/** What became of credit notes. */

const NOTE = { status: 'paid', currency: 'usd', total: '100.00', paid: [], paidSum: '0', added: [] } as const;
const invoice = (number: string, amount: string) => ({ of: 'invoice' as const, number, amount });
const added = (amount: string, more: Partial<AddedCredit> = {}): AddedCredit => {
  return { amount, older: '0', isExcess: false, used: '0', uses: [], ...more };
};
const inkOf = (language: string) => ({
  language,
  labels: labelsOf(language),
  accounting: accountingWordsOf(language),
  formats: formatsOf({ language, country: null, currency: 'usd', timeZone: 'UTC' }),
  own: (text: string) => text,
});
const tell = (facts: NoteFacts, pays = true) => {
  const story = storyOf(facts);
  if (!story) throw new Error('no story');
  return { sentences: storySentences({ story, pays }, inkOf('en')), sums: storySums({ story, pays }, inkOf('en')) };
};

test('a part pays the invoice, the rest is added to the credit', () => {
  const facts = { ...NOTE, paid: [invoice('INV-1', '41.69')], paidSum: '41.69', added: [added('58.31')] };
  const { sentences, sums } = tell(facts);
  expect(sentences).toEqual([
    '$41.69 was applied to invoice INV-1.',
    '$58.31 was added to your credit; it pays your open or next invoices.',
  ]);
  expect(sums.map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Applied to: Invoice INV-1 −$41.69',
    'Still available $58.31',
  ]);
  expect(tell(facts, false).sentences.at(-1)).toBe('$58.31 was added to your credit.');
});

test('credit that was there before is used first', () => {
  const uses = [
    { ...invoice('INV-2', '12.00'), before: '0' },
    { ...invoice('INV-3', '20.00'), before: '12.00' },
    { of: 'deposit' as const, number: 'EST-1', amount: '5.00', before: '32.00' },
  ];
  const facts = { ...NOTE, added: [added('100.00', { older: '15.00', used: '37.00', uses })] };
  expect(tell(facts).sentences).toEqual([
    '$100.00 was added to your credit.',
    '$17.00 of it has paid invoice INV-3.',
    '$5.00 of it has paid the deposit of estimate EST-1.',
    '$78.00 is left in your credit; it pays your open or next invoices.',
  ]);
  expect(tell(facts).sums.at(-1)).toMatchObject({ value: '$78.00' });
});

test('what is used up, forfeited, not applied yet or beyond the credit note', () => {
  const uses = [{ ...invoice('INV-2', '300.00'), before: '0' }];
  const gone = { ...NOTE, added: [added('100.00', { used: '300.00', uses }), added('7.00', { isExcess: true })] };
  expect(tell(gone).sentences).toEqual([
    '$100.00 was added to your credit.',
    '$100.00 of it has paid invoice INV-2.',
    'Nothing of it is left.',
    'In addition, $7.00 was added to your credit.',
  ]);
  expect(tell({ ...NOTE, status: 'open' })).toEqual({ sentences: ['It can pay your invoices.'], sums: [] });
  const paid = { paid: [invoice('INV-1', '40.00')], paidSum: '40.00' };
  expect(tell({ ...NOTE, ...paid, status: 'open' }).sentences.at(-1)).toBe(
    '$60.00 of this credit note is not applied yet; it can pay other invoices.',
  );
  expect(tell({ ...NOTE, ...paid, status: 'closed' }).sentences.at(-1)).toBe('$60.00 was not used and has lapsed.');
  expect([storyOf({ ...NOTE, status: 'draft' }), storyOf({ ...NOTE, status: 'voided' })]).toEqual([null, null]);
});

const cents = (amount: number) => (amount / 100).toFixed(2);
const inCents = (amount: string) => Math.round(Number(amount) * 100);
const partsOf = ({ uses, further, lapsed, left, open }: NoteStory) =>
  [...uses.map(({ amount }) => amount), further, lapsed, left, open].map(inCents);

test('the uses of all credit in its order are those of a queue, and each credit note adds up', () => {
  const steps = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 5000 }), isUse: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const queue: { amount: number; left: number; at: number }[] = [];
      const uses: { at: number; amount: number }[] = [];
      for (const [at, { amount, isUse }] of all.entries()) {
        if (!isUse) queue.push({ amount, left: amount, at });
        const most = queue.reduce((sum, { left }) => sum + left, 0);
        let rest = isUse ? Math.min(amount, most) : 0;
        if (rest > 0) uses.push({ at, amount: rest });
        for (const one of queue) {
          const part = Math.min(one.left, rest);
          one.left -= part;
          rest -= part;
        }
      }
      for (const { amount, left, at } of queue) {
        const before = (until: number, kind: readonly { at: number; amount: number }[]) =>
          kind.filter((one) => one.at < until).reduce((sum, one) => sum + one.amount, 0);
        const older = before(at, queue) - before(at, uses);
        const later = uses.filter((use) => use.at > at);
        const listed = later.map((use) => ({
          ...invoice(`INV-${use.at}`, cents(use.amount)),
          before: cents(before(use.at, uses) - before(at, uses)),
        }));
        const used = cents(later.reduce((sum, use) => sum + use.amount, 0));
        const story = storyOf({
          ...NOTE,
          total: cents(amount),
          added: [added(cents(amount), { older: cents(older), used, uses: listed })],
        });
        if (!story) throw new Error('no story');
        if (inCents(availableOf(story)) !== left) throw new Error(`${availableOf(story)} is not ${cents(left)}`);
        const sum = partsOf(story).reduce((soFar, part) => soFar + part, 0);
        if (sum !== amount || partsOf(story).some((part) => part < 0))
          throw new Error(`${partsOf(story)} of ${amount}`);
      }
    }),
    { numRuns: 1000 },
  );
});

test('each language names all amounts and numbers of a story', () => {
  const uses = [{ ...invoice('INV-7', '20.00'), before: '0' }];
  const facts = {
    ...NOTE,
    status: 'closed' as const,
    paid: [invoice('INV-1', '30.00')],
    paidSum: '30.00',
    added: [added('58.00', { used: '20.00', uses }), added('7.00', { isExcess: true })],
  };
  const story = storyOf(facts);
  if (!story) throw new Error('no story');
  for (const language of spokenLanguages) {
    const { formats } = inkOf(language);
    const text = storySentences({ story, pays: true }, inkOf(language)).join('\n');
    const named = ['30.00', '58.00', '20.00', '38.00', '12.00', '7.00'].map(formats.money);
    expect([language, ...[...named, 'INV-1', 'INV-7'].filter((one) => !text.includes(one))]).toEqual([language]);
    expect(text).not.toMatch(/[{}]/);
  }
});
