import { setImmediate as turn } from 'node:timers/promises';

/** Work on one list may hold up everything else for about so long. */
const MOST_MILLISECONDS = 20;

/** To be awaited between the parts of long work: lets others have a turn where the last one is too long ago. */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < MOST_MILLISECONDS) return undefined;
    return turn().then(() => {
      last = performance.now();
    });
  };
}

/** Each member mapped, with turns of others between. */
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
