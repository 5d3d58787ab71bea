import { medianOf, type Pair, type Ratio, ratioOf } from './ratios.ts';

/** A figure of the comparison, with the pairs of each start. */
export interface Compared {
  what: string;
  starts: Pair[][];
}

/** The pairs of one start as a line, without an interval: starts differ more than the pairs of one start. */
export function lineOf(what: string, pairs: readonly Pair[]): string {
  const { ours, theirs, median } = shownOf({ what, starts: [[...pairs]] });
  return `${what}: ${median.toFixed(2)}; ${ours.toPrecision(3)} and ${theirs.toPrecision(3)}`;
}

/** The comparison as a table in Markdown. */
export function tableOf(compared: readonly Compared[]): string {
  const lines = compared.map((found) => {
    const { ours, theirs, median, low, high } = shownOf(found);
    const cells = [
      ours.toPrecision(3),
      theirs.toPrecision(3),
      median.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ];
    return `| ${found.what} | ${cells.join(' | ')} |`;
  });
  return [
    '| what | this checkout | the other one | ratio | 95 % interval |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

interface Shown extends Ratio {
  ours: number;
  theirs: number;
}

function shownOf({ starts }: Compared): Shown {
  const measured = starts.flat();
  const ours = medianOf(measured.map((pair) => pair.ours));
  const theirs = medianOf(measured.map((pair) => pair.theirs));
  return { ours, theirs, ...ratioOf(starts) };
}
