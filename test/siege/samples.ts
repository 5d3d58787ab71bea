import { percentiles } from '../../bench/load.ts';

/** One measurement of the victim's work. `beganAt` is in epoch milliseconds. */
export interface Sample {
  kind: string;
  beganAt: number;
  milliseconds: number;
}

/** A period with or without attacks. A sample belongs to the window in which it began. */
export interface Window {
  attacked: boolean;
  startedAt: number;
  endedAt: number;
}

export interface Comparison {
  kind: string;
  count: [alone: number, attacked: number];
  p50: [alone: number, attacked: number];
  p99: [alone: number, attacked: number];
  ratio: number;
}

/** All work of the victim: each sample is a multiple of the median that its kind has without attacks. */
export const ALL = 'all, as multiples';
/** A request to /health, four times a second. It is not part of the victim's work. */
export const PROBE = 'health';

/** Compares the latency alone and under attack, for each kind and for all kinds together. */
export function compare(samples: readonly Sample[], windows: readonly Window[]): Comparison[] {
  const within = (attacked: boolean) =>
    samples.filter(({ beganAt }) =>
      windows.some((one) => one.attacked === attacked && beganAt >= one.startedAt && beganAt < one.endedAt),
    );
  const [alone, attacked] = [within(false), within(true)];
  const kinds = [...new Set(alone.map(({ kind }) => kind))].toSorted();
  const of = (from: readonly Sample[], kind: string) =>
    from.filter((sample) => sample.kind === kind).map(({ milliseconds }) => milliseconds);
  const rows = kinds.map((kind) => comparison(kind, of(alone, kind), of(attacked, kind)));
  const usual = new Map(rows.map(({ kind, p50 }) => [kind, p50[0]]));
  const multiples = (from: readonly Sample[]) =>
    from
      .filter(({ kind }) => kind !== PROBE)
      .map(({ kind, milliseconds }) => milliseconds / (usual.get(kind) ?? milliseconds));
  return [...rows, comparison(ALL, multiples(alone), multiples(attacked))];
}

function comparison(kind: string, alone: number[], attacked: number[]): Comparison {
  const [before, during] = [percentiles(alone), percentiles(attacked)];
  return {
    kind,
    count: [alone.length, attacked.length],
    p50: [before.p50, during.p50],
    p99: [before.p99, during.p99],
    ratio: during.p99 / before.p99,
  };
}
