/** Runs all scenarios, three at a time. Throws an Error with the names and errors of the failed ones. */
export async function together(scenarios: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const queue = Object.entries(scenarios);
  const failures: string[] = [];
  const runQueue = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, run] = next;
      await run().catch((error) => failures.push(`${name}: ${error instanceof Error ? error.stack : error}`));
    }
  };
  await Promise.all([runQueue(), runQueue(), runQueue()]);
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}
