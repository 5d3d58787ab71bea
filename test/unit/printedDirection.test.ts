import { expect, test } from '@jest/globals';
import { directed } from '../../adapters/pdf/direction.ts';

const [RIGHT, LEFT, END] = ['\u202e', '\u202d', '\u202c'];

test.each([
  ['Hebrew with vowels', 'שָׁלוֹם עֲלֵיכֶם'],
  ['Arabic with vowels', 'مُحَمَّدٌ، ـَ'],
  ['Arabic numbers', 'خصم ١٬٠٠٠٫٥ و5٪ و۵٪ و\u0600١٢'],
  ['Hebrew beside Latin and numbers', 'כהן & Sons (2 %)'],
  ['Hebrew beside Hindi, Thai and Khmer', 'כהן हिन्दी ชั่วโมง ភាសាខ្មែរ'],
  ['decomposed Vietnamese', 'Tie\u0302\u0301ng Vie\u0323\u0302t'],
  ['emoji with marks', '❤\ufe0f 👩‍👩‍👧 1\ufe0f\u20e3'],
  ['marks without letters where nothing runs from the right', '- \u093f, \u0e31 \u17d2 ⺀'],
])('%s is printed unchanged', (_, text) => expect(directed(text, false)).toBe(text));

test.each([
  ['a Hebrew mark without a letter', '\u0591, TX', `${RIGHT}\u0591${END}, TX`],
  ['Hebrew marks after a Latin letter', 'a\u0591\u05b8b', `a${RIGHT}\u0591\u05b8${END}b`],
  ['an Arabic sign without a number', '\u0600,\u0600', `${RIGHT}\u0600${END},${RIGHT}\u0600${END}`],
  ['an Arabic percent sign by itself', '٪, a', `${RIGHT}٪${END}, a`],
  ['a Khmer mark after a Hebrew letter', 'ש\u17d2, ש', `ש${LEFT}\u17d2${END}, ש`],
  [
    'marks of both directions on one letter',
    'ש\u05b8\u17d2\u05b8, ש',
    `ש\u05b8${LEFT}\u17d2${END}${RIGHT}\u05b8${END}, ש`,
  ],
  ['Greek numbers of antiquity beside Hebrew', 'ש 𐅇, ש', `ש ${LEFT}𐅇${END}, ש`],
  ['Han radicals beside Hebrew', 'ש ⺀⺁, ש', `ש ${LEFT}⺀⺁${END}, ש`],
])('%s gets the direction of its script', (_, text, wanted) => expect(directed(text, false)).toBe(wanted));

test('right-to-left documents give stand-alone text that direction', () => {
  expect(directed('\u0e31, 1', true)).toBe(`${LEFT}\u0e31${END}, 1`);
});

test.each(['ש\u05b8', '\u05b8', 'ก\u0e31', 'ש\u0e31\u05b8', '٪'])('10,000 of %j take less than a second', (letters) => {
  const [first = '', ...rest] = letters;
  const before = process.cpuUsage();
  directed(`${first}${(rest.join('') || first).repeat(10_000)}`, true);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});
