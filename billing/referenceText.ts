import { numberKey } from './numbering.ts';

/** Longer runs of words and digits name no invoice or customer. */
const MOST_PIECES = 6;

/** Pieces of a text beyond these are not read. */
const MOST_READ = 60;

/** Maximum number of candidates of one payment. */
export const MOST_CANDIDATES = 400;

/** The shortest number that a text names by digits alone, and the shortest name of a customer. */
const LEAST_CHARACTERS = 4;

const SEPARATORS = ['', '-', ' ', '/', '.', '_'] as const;

/** A run of letters or of digits, with its place in the text. */
interface Piece {
  text: string;
  start: number;
  end: number;
}

/**
 * Keys (`numberKey`) of the document numbers that texts may name, the most likely first. Case and separators do not count: "inv 42" names
 * INV-00042 if `INV-` is one of the prefixes (`prefixKey`). Other numbers are found as they are written, and with one separator throughout.
 */
export function namedNumbers(texts: readonly string[], prefixKeys: readonly string[]): string[] {
  const keys = texts.map(numberKey);
  const ofSeries = keys.flatMap((key) => numbersOfSeries(piecesOf(key), prefixKeys));
  const others = keys.flatMap((key) => otherNumbers(key, piecesOf(key)));
  return [...new Set([...ofSeries, ...others])].slice(0, MOST_CANDIDATES);
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

/** Numbers of series: a prefix without its separators, followed by digits with or without leading zeros. */
function numbersOfSeries(pieces: readonly Piece[], prefixKeys: readonly string[]): string[] {
  const runs = runsOf(pieces).map((run) => run.map(({ text }) => text).join(''));
  return prefixKeys.flatMap((prefix) => {
    const plain = prefix.replace(/[^\p{L}\p{N}]+/gu, '');
    if (plain === '') return [];
    return runs.flatMap((run) => {
      const digits = run.startsWith(plain) ? run.slice(plain.length) : '';
      if (!/^\d{1,10}$/.test(digits)) return [];
      return [`${prefix}${digits}`, `${prefix}${String(Number(digits)).padStart(5, '0')}`];
    });
  });
}

function otherNumbers(key: string, pieces: readonly Piece[]): string[] {
  return runsOf(pieces).flatMap((run) => {
    const [first] = run;
    const last = run.at(-1);
    const texts = run.map(({ text }) => text);
    if (!first || !last || !texts.some((text) => /\d/.test(text))) return [];
    const joined = run.length === 1 ? texts : SEPARATORS.map((separator) => texts.join(separator));
    return [key.slice(first.start, last.end), ...joined].filter(isLong);
  });
}

/** Whether a text is long enough to be a number: digits alone are often something else. */
function isLong(text: string): boolean {
  return /^\d*$/.test(text) ? text.length >= LEAST_CHARACTERS : text.length > 1;
}
