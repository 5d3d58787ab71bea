import { randomOf } from '../../test/support/random.ts';

const RESAMPLES = 2000;
const SEED = 1;

/** A figure of both versions, measured one right after the other. */
export interface Pair {
  ours: number;
  theirs: number;
}

/** Median of the ratios of pairs, ours by theirs. `low` and `high` are the ends of its 95 % bootstrap interval. */
export interface Ratio {
  median: number;
  low: number;
  high: number;
}

/**
 * `starts` has the pairs of each start of the programs. A resample draws, with replacement, as many starts as there are, and of each as many
 * pairs as it has, because the pairs of one start resemble each other. The interval needs six starts: with fewer it is too narrow. The
 * resamples have a fixed seed, so the same pairs have the same interval. Throws without pairs.
 */
export function ratioOf(starts: readonly (readonly Pair[])[]): Ratio {
  const ratios = starts.map((pairs) => pairs.map(({ ours, theirs }) => ours / theirs));
  const random = randomOf(SEED);
  const draw = (count: number) => Math.floor(random() * count);
  const resample = () =>
    medianOf(
      ratios.flatMap(() => {
        const start = ratios[draw(ratios.length)] ?? [];
        return start.map(() => start[draw(start.length)] ?? 0);
      }),
    );
  const medians = Array.from({ length: RESAMPLES }, resample).toSorted((a, b) => a - b);
  const at = (share: number) => medians[Math.floor(share * RESAMPLES)] ?? 0;
  return { median: medianOf(ratios.flat()), low: at(0.025), high: at(0.975) };
}

/** Throws without values. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error('no values have no median');
  return (low + high) / 2;
}
