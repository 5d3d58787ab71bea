import { distance } from 'fastest-levenshtein';
import { cut } from '../refusal.ts';

/** Longer names are not compared, because the cost grows with their length. */
const MOST_CHARACTERS = 64;

/**
 * The known name closest to a misspelled one: a name that begins with it, else the name with the smallest edit distance. Null when there are
 * no known names, or when the misspelled one is too long to compare.
 */
export function nearest(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  if (name.length > MOST_CHARACTERS) return null;
  for (const candidate of known) {
    const edits = candidate.startsWith(name) ? 0 : distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** The message about a name that is not among the known ones: "Unknown sort column nmae; did you mean name?" */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = meant === null ? `possible are ${known.join(', ')}` : `did you mean ${meant}?`;
  return `Unknown ${what} ${cut(name)}; ${hint}`;
}
