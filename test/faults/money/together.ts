/** Runs scenarios at the same time and waits for the end of all of them; throws what failed, each under its name. */
export async function together(scenarios: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const names = Object.keys(scenarios);
  const ends = await Promise.allSettled(Object.values(scenarios).map((run) => run()));
  const failures = ends.flatMap((end, index) => {
    if (end.status === 'fulfilled') return [];
    const { reason } = end;
    return `${names[index]}: ${reason instanceof Error ? reason.stack : reason}`;
  });
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}
