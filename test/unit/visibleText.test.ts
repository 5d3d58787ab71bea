import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasVisible, hiddenIn, readable, visible, visibleLine } from '../../billing/look/visibleText.ts';

const HIDDEN = [
  ['controls', '\u0000\u0007\u001b\u007f\u0085\u009f'],
  ['overrides and embeddings', '\u202a\u202b\u202c\u202d\u202e'],
  ['isolates and marks', '\u2066\u2067\u2068\u2069\u200e\u200f\u061c'],
  ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff\u180e\u00ad\u034f'],
  ['variation selectors and tags', '\ufe0f\u{e0100}\u{e0001}\u{e0041}'],
  ['fillers', '\u115f\u1160\u3164\uffa0\u17b4'],
  ['annotations and noncharacters', '\ufff9\ufffa\ufffb\ufffe\ufdd0\u{1ffff}'],
  ['halves of surrogates', '\ud800'],
  ['separators of lines', '\u2028\u2029'],
] as const;

test.each(HIDDEN)('all of the %s count as hidden', (_, characters) => {
  for (const character of characters) {
    expect([character, hiddenIn(`a${character}b`)]).toEqual([character, expect.stringMatching(/^U\+[0-9A-F]{4,5}$/)]);
    expect(visibleLine(`a${character}b`).replace(' ', '')).toBe('ab');
    expect(hiddenIn(visible(`a${character}b`).replace('\n', ''))).toBeNull();
  }
});

test('visible characters stay: letters of all scripts, marks on them, symbols, spaces, digits', () => {
  const seen =
    'Grüße, Ελλάδα, Ёжик, ‫שלום'.replace('\u202b', '') +
    ' مرحبا ١٢٣ नमस्ते 東京 한국 e\u0301 ½ € 😀 \u00a0\u3000\u06dd\u0600\ue000';
  expect(visible(seen)).toBe(seen);
  expect(visibleLine(seen)).toBe(seen);
  expect(hiddenIn(seen)).toBeNull();
});

test('line breaks stay in multi-line text and become spaces in one-line text', () => {
  expect(visible('a\r\nb\rc\nd\u2028e\tf')).toBe('a\nb\nc\nd\ne f');
  expect(visibleLine('a\r\nb\rc\nd\u2028e\tf')).toBe('a b c d e f');
});

test('no hidden character is left of any text, and a second pass changes nothing', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(text, (any) => {
      expect(hiddenIn(visibleLine(any))).toBeNull();
      expect(hiddenIn(visible(any).replaceAll('\n', ''))).toBeNull();
      expect(visible(visible(any))).toBe(visible(any));
      expect(visibleLine(visibleLine(any))).toBe(visibleLine(any));
    }),
    { numRuns: 2000 },
  );
});

test('a name of spaces, blanks, lone marks or hidden characters is invisible', () => {
  for (const text of ['', ' ', '\u00a0\u3000', '\u200b', '\u3164', '\u2800', '\u115f', '\u0301', '\n', '\u202e ']) {
    expect([text, hasVisible(text)]).toEqual([text, false]);
  }
  for (const text of ['a', '0', '-', '한', '🚀', '\u200bx', '½', '\ue000']) expect(hasVisible(text)).toBe(true);
});

test('all text of an object is cleaned, however deep, and the object stays unchanged', () => {
  const at = new Date(0);
  const facts = {
    name: 'A\u202eB\nC',
    notes: 'a\u200b\nb',
    lines: [{ names: ['x\u0000y'], at, amount: 7 }],
    none: null,
  };
  const wanted = { name: 'AB C', notes: 'a\nb', lines: [{ names: ['xy'], at, amount: 7 }], none: null };
  expect(JSON.parse(JSON.stringify(readable(facts)))).toEqual(JSON.parse(JSON.stringify(wanted)));
  expect(readable(facts).lines.map(({ names }) => names.join())).toEqual(['xy']);
  expect(readable(facts).lines[0]?.at.getTime()).toBe(0);
  expect(facts.name).toBe('A\u202eB\nC');
});
