/** Gives a place back; a second call does nothing. */
export type Leave = () => void;

/** A number of places, lent so that nobody keeps others from having one. */
export interface Places<Who> {
  /** Waits for a place. */
  take(who: Who): Promise<Leave>;
  /** Has a place at once, even beyond the limits: for work that has been let in before. */
  retake(who: Who): Leave;
  /** How many of somebody's wait. */
  waitingOf(who: Who): number;
}

export interface PlacesOptions<Who> {
  size: number;
  /** How many places somebody may have. */
  most(who: Who): number;
  /** Calls `next` when a place has become free. */
  handOver(next: () => void): void;
}

interface Waiting<Who> {
  who: Who;
  go: () => void;
}

/** Of those who wait, whoever has the fewest places goes first. */
export function createPlaces<Who>({ size, most, handOver }: PlacesOptions<Who>): Places<Who> {
  const held = new Map<Who, number>();
  const waiting = new Set<Waiting<Who>>();
  const waitingBy = new Map<Who, number>();
  let total = 0;
  const heldBy = (who: Who) => held.get(who) ?? 0;
  const mayHave = (who: Who) => total < size && heldBy(who) < most(who);
  const next = (): Waiting<Who> | undefined => {
    let first: Waiting<Who> | undefined;
    for (const one of waiting) {
      if (!mayHave(one.who)) continue;
      if (!first || heldBy(one.who) < heldBy(first.who)) first = one;
    }
    return first;
  };
  const enter = (who: Who): Leave => {
    total += 1;
    add(held, who, 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      total -= 1;
      add(held, who, -1);
      if (waiting.size > 0) handOver(() => next()?.go());
    };
  };
  const wait = (who: Who): Promise<Leave> =>
    new Promise((resolve) => {
      const go = () => {
        waiting.delete(one);
        add(waitingBy, who, -1);
        resolve(enter(who));
      };
      const one = { who, go };
      waiting.add(one);
      add(waitingBy, who, 1);
    });
  return {
    waitingOf: (who) => waitingBy.get(who) ?? 0,
    take: (who) => (mayHave(who) ? Promise.resolve(enter(who)) : wait(who)),
    retake: enter,
  };
}

/** Counts; who has none is not kept. */
function add<Who>(counts: Map<Who, number>, who: Who, by: number): void {
  const count = (counts.get(who) ?? 0) + by;
  if (count > 0) counts.set(who, count);
  else counts.delete(who);
}
