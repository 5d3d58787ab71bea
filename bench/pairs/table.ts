import { medianOf, type Pair, ratioOf } from './ratios.ts';

/** A figure of the comparison, with the pairs of each start. */
export interface Compared {
  what: string;
  starts: Pair[][];
}

/** The pairs of one start as a line, without an interval: starts differ more than the pairs of one start. */
export function lineOf(what: string, pairs: readonly Pair[]): string {
  const { ours, theirs } = mediansOf(pairs);
  const ratio = medianOf(pairs.map((pair) => pair.ours / pair.theirs));
  return `${what}: ${ratio.toFixed(2)}; ${ours.toPrecision(3)} and ${theirs.toPrecision(3)}`;
}

/** The comparison as a table in Markdown. */
export function tableOf(compared: readonly Compared[]): string {
  const lines = compared.map(({ what, starts }) => {
    const { ours, theirs } = mediansOf(starts.flat());
    const { median, low, high } = ratioOf(starts);
    const cells = [
      ours.toPrecision(3),
      theirs.toPrecision(3),
      median.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ];
    return `| ${what} | ${cells.join(' | ')} |`;
  });
  return [
    '| what | this checkout | the other one | ratio | 95 % interval |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function mediansOf(pairs: readonly Pair[]): Pair {
  return { ours: medianOf(pairs.map(({ ours }) => ours)), theirs: medianOf(pairs.map(({ theirs }) => theirs)) };
}
