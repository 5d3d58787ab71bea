import { numberKey } from './numbering.ts';

/** Longer runs of words and digits name no invoice or customer. */
const MOST_PIECES = 6;

/** Pieces of a text beyond these are not read. */
const MOST_READ = 60;

/** Maximum number of candidates of one payment. */
export const MOST_CANDIDATES = 400;

/** The shortest number that a text names by digits alone, and the shortest name of a customer. */
const LEAST_CHARACTERS = 4;

/** Digits of a number of a series, leading zeros included. */
const PADDED = 5;

const SEPARATORS = ['', '-', ' ', '/', '.', '_'] as const;

/** A run of letters or of digits, with its place in the text. */
interface Piece {
  text: string;
  start: number;
  end: number;
}

/**
 * Keys (`numberKey`) of the document numbers that texts may name, the most likely first. Case and separators do not count: "inv 42" names
 * INV-00042 if `INV-` is one of the prefixes (`prefixKey`), and so does "Rechnung 00042". Other numbers are found as they are written, and with one separator throughout.
 */
export function namedNumbers(texts: readonly string[], prefixKeys: readonly string[]): string[] {
  const keys = texts.map(numberKey);
  const ofSeries = keys.flatMap((key) => numbersOfSeries(piecesOf(key), prefixKeys));
  const bare = keys.flatMap((key) => numbersWithoutPrefix(piecesOf(key), prefixKeys));
  const others = keys.flatMap((key) => otherNumbers(key, piecesOf(key)));
  return [...new Set([...ofSeries, ...bare, ...others])].slice(0, MOST_CANDIDATES);
}

/** Whether all of the texts is read for numbers. */
export function areReadWhole(texts: readonly string[]): boolean {
  const pieces = texts.map((text) => [...numberKey(text).matchAll(/\p{L}+|\p{N}+/gu)].length);
  return pieces.every((count) => count <= MOST_READ);
}

/** Names in lower case that texts may contain: all runs of up to six words. */
export function namesIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_READ);
    return runsOf(words).flatMap((run) => {
      const name = run.join(' ').replace(/^[^\p{L}\p{N}]+/u, '');
      return [name, name.replace(/[,;:]+$/, ''), name.replace(/[,;:.]+$/, '')];
    });
  });
  return [...new Set(names)].filter((name) => name.length >= LEAST_CHARACTERS).slice(0, MOST_CANDIDATES);
}

function piecesOf(key: string): Piece[] {
  const found = [...key.matchAll(/\p{L}+|\p{N}+/gu)].slice(0, MOST_READ);
  return found.map(({ 0: text, index }) => ({ text, start: index, end: index + text.length }));
}

/** All runs of up to six consecutive elements. */
function runsOf<Element>(all: readonly Element[]): Element[][] {
  return all.flatMap((_, first) =>
    Array.from({ length: Math.min(MOST_PIECES, all.length - first) }, (__, more) => all.slice(first, first + more + 1)),
  );
}

/**
 * Numbers of series: a prefix without its separators, followed by digits with or without leading zeros. Digits behind a whole number are
 * something else: the 2 of "INV-00081 2. Rate" belongs to no number.
 */
function numbersOfSeries(pieces: readonly Piece[], prefixKeys: readonly string[]): string[] {
  const runs = runsOf(pieces).map((run) => run.map(({ text }) => text));
  return prefixKeys.flatMap((prefix) => {
    const plain = prefix.replace(/[^\p{L}\p{N}]+/gu, '');
    if (plain === '') return [];
    return runs.flatMap((run) => {
      const digits = digitsBehind(plain, run);
      return digits === null ? [] : [`${prefix}${digits}`, `${prefix}${padded(digits)}`];
    });
  });
}

/** The digits of a run that begins with a prefix; null: it does not, or goes on behind a whole number. */
function digitsBehind(plain: string, run: readonly string[]): string | null {
  const text = run.join('');
  const digits = text.startsWith(plain) ? text.slice(plain.length) : '';
  if (!/^\d{1,10}$/.test(digits)) return null;
  const last = run.at(-1) ?? '';
  const before = digits.slice(0, -last.length);
  return digits.length > last.length && isWhole(before) ? null : digits;
}

/** Whether digits are a whole number: all of its digits are there, or it has no leading zeros. */
function isWhole(digits: string): boolean {
  return digits.length >= PADDED || !digits.startsWith('0');
}

function padded(digits: string): string {
  return String(Number(digits)).padStart(PADDED, '0');
}

/** Numbers of series of which a text has the digits alone, with all leading zeros: "Rechnung 00007", "INV-00005/00006". */
function numbersWithoutPrefix(pieces: readonly Piece[], prefixKeys: readonly string[]): string[] {
  const bare = pieces.map(({ text }) => text).filter((text) => text.length >= PADDED && /^\d{1,10}$/.test(text));
  return bare.flatMap((digits) => prefixKeys.map((prefix) => `${prefix}${digits}`));
}

function otherNumbers(key: string, pieces: readonly Piece[]): string[] {
  return runsOf(pieces).flatMap((run) => {
    const [first] = run;
    const last = run.at(-1);
    const texts = run.map(({ text }) => text);
    if (!first || !last || !texts.some((text) => /\d/.test(text))) return [];
    const isSplit = texts.some((text, place) => /\d$/.test(text) && /^\d/.test(texts[place + 1] ?? ''));
    const separators = SEPARATORS.filter((separator) => separator !== '' || !isSplit);
    const joined = run.length === 1 ? texts : separators.map((separator) => texts.join(separator));
    return [key.slice(first.start, last.end), ...joined].filter(isLong);
  });
}

/** Whether a text is long enough to be a number: digits alone are often something else. */
function isLong(text: string): boolean {
  return /^\d*$/.test(text) ? text.length >= LEAST_CHARACTERS : text.length > 1;
}
