import { cpus } from 'node:os';

/** Measures the busy share of the machine's processors since the last call, 0 to 1. Work at low priority gives way and isn't counted. */
export function createLoad(): () => number {
  let before = times();
  return () => {
    const now = times();
    const load = 1 - (now.free - before.free) / Math.max(1, now.all - before.all);
    before = now;
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
