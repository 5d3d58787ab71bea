import { describe, expect, test } from '@jest/globals';
import { taskOutcomes } from '../../billing/collection/taskOutcome.ts';
import { saidIn } from '../../present/kernel/said.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { en } from '../../words/refusals/en.ts';
import { refusalWordsOf } from '../../words/refusals/words.ts';
import { fill } from '../../words/text.ts';

/** Sentences of the product in other languages. Those of acts on many objects are provoked in test/api/reports/saidRefusals.test.ts. */

describe.each(spokenLanguages)('words in %s', (language) => {
  const words = new Map(Object.entries(refusalWordsOf(language)));

  test('each text has the placeholders of the English one', () => {
    const named = (text = '') => [...new Set(text.match(/\{\w+\}/g))].toSorted();
    for (const [name, text] of Object.entries(en)) expect([name, named(words.get(name))]).toEqual([name, named(text)]);
  });

  test('each outcome of a task is translated', () => {
    const known = new Set(Object.values(en));
    expect(Object.values(taskOutcomes).filter((text) => !known.has(text))).toEqual([]);
  });

  test('each sentence is found again by its English text, with its values', () => {
    for (const [name, label] of Object.entries(en)) {
      const values = Object.fromEntries(
        [...label.matchAll(/\{(\w+)\}/g)].map(([, key = ''], place) => [key, `x${place}`]),
      );
      expect(saidIn(fill(label, values), language)).toBe(fill(words.get(name) ?? '', values));
    }
  });
});

test('a text that nothing translates stays as it is', () => {
  for (const text of ['', 'INV-00001', 'invoice is voided', 'Invoice is voided.', '{id}', 'Customer 5 is on credit'])
    expect(saidIn(text, 'de')).toBe(text);
});

test('ten thousand texts, which a report or a list may have, are said at once', () => {
  const texts = Array.from({ length: 10_000 }, (_, index) =>
    index % 2 ? fill(en.invoiceMissing, { id: index }) : `Note ${index}`,
  );
  saidIn('prepared', 'de');
  const before = performance.now();
  for (const text of texts) saidIn(text, 'de');
  expect(performance.now() - before).toBeLessThan(1000); // about 50 ms; 2 s if each text prepares the labels
});
