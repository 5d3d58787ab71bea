import { setImmediate as immediate } from 'node:timers/promises';

/** Longest time, in milliseconds, that work on one list may block the event loop. */
const MOST_MILLISECONDS = 20;

/** Returns a function to await between parts of long work: it yields to other work if the last yield is too long ago. */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < MOST_MILLISECONDS) return undefined;
    return immediate().then(() => {
      last = performance.now();
    });
  };
}

/** Maps each member, and yields to other work in between. */
export async function mapBreathing<Member, Result>(
  members: Iterable<Member>,
  map: (member: Member) => Result,
): Promise<Result[]> {
  const breathe = breather();
  const results: Result[] = [];
  for (const member of members) {
    results.push(map(member));
    await breathe();
  }
  return results;
}
