/** Longer names are not compared, because the cost grows with their length. */
const MOST_CHARACTERS = 64;

/** The known name closest to a misspelt one: one that starts with it, else the one with the fewest edits. Null when no name is known. */
export function nearest(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  if (name.length > MOST_CHARACTERS) return null;
  for (const candidate of known) {
    const distance = candidate.startsWith(name) ? 0 : editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance: insertions, deletions and replacements that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
