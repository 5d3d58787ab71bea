const GIBIBYTE = 2 ** 30;

/**
 * Workflows that a worker keeps in memory unless it is told: a hundred for each GiB, within bounds. A sleeping process that is not kept
 * is replayed, which is quick. Bytes: those of the machine, and those that this process may have, 0 where nothing limits it.
 */
export function cacheByMemory({ machine, limit }: { machine: number; limit: number }): number {
  const memory = limit > 0 ? Math.min(machine, limit) : machine;
  return Math.min(Math.max(Math.round(memory / GIBIBYTE) * 100, 200), 4000);
}
