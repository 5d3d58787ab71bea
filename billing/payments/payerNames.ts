/** Words of a text beyond these are not read for names. */
const MOST_WORDS = 12;

/** Words of a name. */
const MOST_OF_NAME = 5;

/** The shortest name without its legal form. */
const LEAST_CHARACTERS = 4;

/** Maximum number of names of one payment. */
export const MOST_SPELLINGS = 6000;

/** Legal forms as companies write them behind their names, in lower case. */
const LEGAL_FORMS = [
  'gmbh',
  'gmbh & co. kg',
  'gmbh & co kg',
  'gmbh und co. kg',
  'ug',
  'ug (haftungsbeschränkt)',
  'ag',
  'ag & co. kg',
  'kg',
  'kgaa',
  'ohg',
  'gbr',
  'e.k.',
  'e.v.',
  'eg',
  'se',
  'ltd',
  'ltd.',
  'limited',
  'plc',
  'llp',
  'llc',
  'inc',
  'inc.',
  'corp.',
  'b.v.',
  'bv',
  'n.v.',
  'v.o.f.',
  'sarl',
  'sàrl',
  's.a.',
  'sa',
  'sas',
  's.r.l.',
  's.p.a.',
  's.l.',
  'ab',
  'a/s',
  'aps',
  'as',
  'oy',
] as const;

/** Words of legal forms at the end of a name, without dots. */
const FORM_WORDS = new Set(
  LEGAL_FORMS.flatMap((form) => form.split(' ')).flatMap((word) => [word.replaceAll('.', ''), word]),
).add('co');

const SPELLED: readonly (readonly [letter: string, spelled: string])[] = [
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['ø', 'oe'],
  ['å', 'aa'],
  ['æ', 'ae'],
];

/**
 * Names in lower case that texts may mean: with other legal forms than they have, or with none, and with umlauts written as two letters or as
 * one. Banks print `OESTLICHE MUEHLEN KG` for Östliche Mühlen GmbH & Co. KG.
 */
export function spelledNames(texts: readonly string[]): string[] {
  const stems = texts.flatMap((text) => stemsIn(wordsOf(text)));
  const spellings = [...new Set(stems)].flatMap(spellingsOf);
  const names = [...new Set(spellings)].flatMap((stem) => [
    stem,
    ...LEGAL_FORMS.flatMap((form) => withForm(stem, form)),
  ]);
  return [...new Set(names)].slice(0, MOST_SPELLINGS);
}

function withForm(stem: string, form: string): string[] {
  return [`${stem} ${form}`, `${stem}, ${form}`];
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, 1000)
    .toLowerCase()
    .split(/[\s,;:]+/)
    .filter(Boolean)
    .slice(0, MOST_WORDS);
}

/** Runs of words without the legal forms behind them, the longest first. */
function stemsIn(words: readonly string[]): string[] {
  const runs = words.flatMap((_, first) =>
    Array.from({ length: MOST_OF_NAME }, (__, more) => words.slice(first, first + MOST_OF_NAME - more)),
  );
  const stems = runs.map(withoutForm).filter((stem) => stem.length >= LEAST_CHARACTERS && /\p{L}/u.test(stem));
  return stems.toSorted((one, other) => other.length - one.length);
}

function withoutForm(words: readonly string[]): string {
  const end = words.findLastIndex(
    (word) => word !== '&' && word !== 'und' && !FORM_WORDS.has(word.replaceAll('.', '')),
  );
  return words.slice(0, end + 1).join(' ');
}

/** Pairs of letters that banks write for an umlaut, except where German has both letters: Bauer, neue, Quelle, Michael, Joel. */
const UMLAUTS: readonly (readonly [likely: RegExp, letter: string, spelled: string])[] = [
  [/ae(?!l(?!\p{L}))/gu, 'ä', 'ae'],
  [/oe(?!l(?!\p{L}))/gu, 'ö', 'oe'],
  [/(?<![aeq])ue/gu, 'ü', 'ue'],
];

/** Spellings of a name: as it is, with two letters for each umlaut, and with an umlaut for all pairs, or for those that are likely one. */
function spellingsOf(stem: string): string[] {
  const apart = SPELLED.reduce((text, [letter, spelled]) => text.replaceAll(letter, spelled), stem);
  const likely = UMLAUTS.reduce((text, [pair, letter]) => text.replace(pair, letter), stem);
  const joined = UMLAUTS.reduce((text, [, letter, spelled]) => text.replaceAll(spelled, letter), stem);
  return [stem, apart, likely, joined, likely.replaceAll('ss', 'ß'), joined.replaceAll('ss', 'ß')];
}
