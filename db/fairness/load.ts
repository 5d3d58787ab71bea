import { cpus } from 'node:os';

const LOOK_MILLISECONDS = 200;

/** Measures the busy share of the machine's processors over the last 0.2 s or more, 0 to 1. Work at low priority gives way and isn't counted. */
export function createLoad(): () => number {
  let [before, measuredAt, load] = [times(), performance.now(), 0];
  return () => {
    if (performance.now() - measuredAt < LOOK_MILLISECONDS) return load;
    const now = times();
    load = 1 - (now.free - before.free) / Math.max(1, now.all - before.all);
    [before, measuredAt] = [now, performance.now()];
    return load;
  };
}

function times(): { free: number; all: number } {
  let [free, all] = [0, 0];
  for (const { times: spent } of cpus()) {
    free += spent.idle + spent.nice;
    all += spent.user + spent.nice + spent.sys + spent.irq + spent.idle;
  }
  return { free, all };
}
