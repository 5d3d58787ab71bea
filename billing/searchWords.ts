/** A word of a search, in the spellings that match: `öst` is found as `ost` and as `oest`. */
export type SearchWord = readonly string[];

/** The shortest word that is searched for, and the most words of a search. */
const LEAST_CHARACTERS = 2;
export const MOST_SEARCH_WORDS = 10;

/**
 * Characters that part words, to be put between the brackets of a regular expression in JavaScript or PostgreSQL. The database function
 * `search_keys` has the same set.
 */
export const APART =
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u1680\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u2bff\\u3000-\\u303f\\u30fb\\ufeff';

const AROUND = new RegExp(`^[${APART}]+|[${APART}]+$`, 'g');
const BETWEEN = new RegExp(`[${APART}]+`);

/** Letters that are also written as two. */
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ø: 'oe', å: 'aa', æ: 'ae' };

/** Letters and punctuation that have no accent to lose. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
};

/**
 * The words of a search: split at blanks, in lower case, without accents and without punctuation around them. Words of one character are
 * left out. Texts are folded in the same way by the function `search_text` of the database.
 */
export function searchWords(text: string): SearchWord[] {
  const words = text.normalize('NFKC').split(/\s+/);
  return words.map(spellings).filter((word) => word.length > 0);
}

function spellings(word: string): string[] {
  const small = word.toLowerCase().normalize('NFC').replaceAll(AROUND, '');
  if ([...small].length < LEAST_CHARACTERS) return [];
  const spelled = replaced(small, SPELLED);
  const both = [small, spelled].map((one) => folded(one).replaceAll(AROUND, ''));
  return [...new Set(both)].filter((one) => [...one].length >= LEAST_CHARACTERS);
}

function folded(small: string): string {
  const plain = small
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return replaced(plain, FOLDED);
}

function replaced(text: string, by: Readonly<Record<string, string>>): string {
  return [...text].map((letter) => by[letter] ?? letter).join('');
}

/** A regular expression of PostgreSQL for texts in which a word begins with one of the spellings. */
export function searchPattern(word: SearchWord): string {
  const literal = word.map((spelling) => spelling.replaceAll(/[!-/:-@[-^`{-~]/g, '\\$&'));
  return `(?:^|[${APART}])(?:${literal.join('|')})`;
}

/** Runs of letters longer than this are in the index without their rest. */
const LONGEST_KEY = 50;
/** A part at the end, behind others, is looked up only from this length on: one character begins too many words. */
const LEAST_END = 2;

/**
 * A `tsquery` for the index of words. It finds at least the texts that `searchPattern` finds, because it looks for the parts between the
 * punctuation of the word; the last part may go on. `kinds`: the whole word may have a key of any of these kinds.
 */
export function searchKeys(word: SearchWord, accountId: number, kinds: readonly string[] = ['']): string {
  return kinds.flatMap((kind) => word.map((spelling) => `(${keysOf(spelling, `${accountId}${kind}:`)})`)).join(' | ');
}

/** Whether the query of a word finds nothing but what its pattern finds. */
export function isExactKey(word: SearchWord): boolean {
  return word.every((spelling) => !BETWEEN.test(spelling) && [...spelling].length <= LONGEST_KEY);
}

function keysOf(spelling: string, before: string): string {
  const parts = spelling.split(BETWEEN);
  const keys = parts.flatMap((part, index) => {
    const letters = [...part];
    const isLast = index === parts.length - 1;
    if (isLast && index > 0 && letters.length < LEAST_END) return [];
    const key = letters.slice(0, LONGEST_KEY).join('');
    return [`'${before}${key}'${isLast || letters.length > LONGEST_KEY ? ':*' : ''}`];
  });
  return keys.join(' & ');
}
