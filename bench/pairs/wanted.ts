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

const OPTIONS = {
  starts: { type: 'string', default: '6' },
  pairs: { type: 'string', default: '4' },
} as const;

export const DEFAULT_STARTS = Number(OPTIONS.starts.default);
export const DEFAULT_PAIRS = Number(OPTIONS.pairs.default);

/** Parses `<folder> [<row> …] [--starts <n>] [--pairs <n>]`. Null if that is not what the arguments are. Without rows: all `known` ones. */
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
