import { parseArgs } from 'node:util';

/** The comparison that the command line asks for. */
export interface Wanted {
  /** Folder of the other checkout. */
  folder: string;
  /** Names of rows. */
  rows: readonly string[];
  /** Number of starts of both checkouts. */
  starts: number;
  /** Pairs of each row after each start. */
  pairs: number;
}

export const DEFAULT_STARTS = 6;
export const DEFAULT_PAIRS = 4;

const OPTIONS = {
  starts: { type: 'string', default: String(DEFAULT_STARTS) },
  pairs: { type: 'string', default: String(DEFAULT_PAIRS) },
} as const;

/** Parses `<folder> [<row> …] [--starts <n>] [--pairs <n>]`. Without rows: all `known` ones. Null for other arguments. */
export function readWanted(args: readonly string[], known: readonly string[]): Wanted | null {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [folder, ...named] = positionals;
    const [starts, pairs] = [Number(values.starts), Number(values.pairs)];
    const areCounts = [starts, pairs].every((count) => Number.isInteger(count) && count > 0);
    if (folder === undefined || !areCounts || !named.every((name) => known.includes(name))) return null;
    return { folder, rows: named.length > 0 ? named : known, starts, pairs };
  } catch {
    return null; // an unknown option
  }
}
