const GIBIBYTE = 2 ** 30;

/**
 * Default number of workflows that a worker caches: 100 per GiB, at least 200 and at most 4,000. A workflow that is not cached is replayed,
 * which is quick. `machine`: memory of the machine in bytes. `limit`: memory limit of this process in bytes, 0 for none.
 */
export function cacheByMemory({ machine, limit }: { machine: number; limit: number }): number {
  const memory = limit > 0 ? Math.min(machine, limit) : machine;
  return Math.min(Math.max(Math.round(memory / GIBIBYTE) * 100, 200), 4000);
}
