/** Gives a place back; a second call does nothing. */
export type Leave = () => void;

/** A limited number of places, shared fairly: nobody can keep others from getting one. */
export interface Places<Who> {
  /** Waits for a place. Rejects with `refusal(who)` if too many requests of the same holder wait already. */
  take(who: Who): Promise<Leave>;
  /** Takes a place at once, even beyond the limits: for work that was admitted before. */
  retake(who: Who): Leave;
  /** Number of waiting requests. */
  readonly waiting: number;
}

export interface PlacesOptions<Who> {
  size: number;
  /** Maximum number of places of one holder. */
  most(who: Who): number;
  /** Maximum number of waiting requests of one holder. */
  mostWaiting: number;
  /** The error for a request that may not wait. */
  refusal(who: Who): Error;
  /** Whether a holder goes before all others, however many places it has. */
  goesFirst?(who: Who): boolean;
  /**
   * After this wait, in milliseconds, a request gets a place beyond the limits, so that work that holds a place and asks for another cannot
   * deadlock. At most one request of a holder in that time; otherwise it would get all places in the end.
   */
  late?: number;
  /** Calls `next` when a place has become free. By default the next request goes at once. */
  handOver?(next: () => void): void;
  /** Called for each request that got its place late, and for each that was refused. */
  note?(end: UnusualWait): void;
}

export type UnusualWait = 'late' | 'refused';

/** The places of one holder, and its waiting requests in order of arrival. */
interface Share {
  taken: number;
  waiting: Set<Waiting>;
  /** Time at which one of its requests last got a place late. */
  lateAt: number;
}

interface Waiting {
  /** Lower for earlier requests. */
  number: number;
  go(): void;
}

/** Among waiting holders, the one with the fewest places goes first; among equals, the earliest request. */
export function createPlaces<Who>(options: PlacesOptions<Who>): Places<Who> {
  const { size, most, mostWaiting, refusal, late, note, goesFirst = () => false, handOver = atOnce } = options;
  const shares = new Map<Who, Share>();
  let taken = 0;
  let waiting = 0;
  let came = 0;
  const shareOf = (who: Who): Share => {
    const share = shares.get(who) ?? { taken: 0, waiting: new Set(), lateAt: Number.NEGATIVE_INFINITY };
    shares.set(who, share);
    return share;
  };
  const mayHave = (who: Who) => taken < size && (shares.get(who)?.taken ?? 0) < most(who);
  const next = (): Waiting | undefined => {
    let first: Candidate | undefined;
    for (const [who, share] of shares) {
      const [one] = share.waiting;
      if (one && mayHave(who)) first = earlier(first, { one, rank: goesFirst(who) ? -1 : share.taken });
    }
    return first?.one;
  };
  const letIn = () => {
    for (let one = next(); one; one = next()) one.go();
  };
  const enter = (who: Who): Leave => {
    const share = shareOf(who);
    taken += 1;
    share.taken += 1;
    return once(() => {
      taken -= 1;
      share.taken -= 1;
      if (share.taken === 0 && share.waiting.size === 0) shares.delete(who);
      if (waiting > 0) handOver(letIn);
    });
  };
  const enterNow = (who: Who): Leave => {
    waiting -= 1;
    return enter(who);
  };
  return {
    get waiting() {
      return waiting;
    },
    take(who) {
      if (mayHave(who)) return Promise.resolve(enter(who));
      const share = shareOf(who);
      if (share.waiting.size >= mostWaiting) {
        note?.('refused');
        return Promise.reject(refusal(who));
      }
      waiting += 1;
      return waitIn(share, { number: came++, enter: () => enterNow(who), late, note });
    },
    retake: enter,
  };
}

interface Coming {
  number: number;
  enter(): Leave;
  late: number | undefined;
  note: ((end: UnusualWait) => void) | undefined;
}

/** Waits in a share until it is called, or until it is late. */
function waitIn(share: Share, { number, enter, late, note }: Coming): Promise<Leave> {
  return new Promise((resolve) => {
    const go = () => {
      clearInterval(timer);
      share.waiting.delete(one);
      resolve(enter());
    };
    const goLate = (milliseconds: number) => {
      if (share.lateAt + milliseconds > performance.now()) return;
      share.lateAt = performance.now();
      note?.('late');
      go();
    };
    const timer = late === undefined ? undefined : setInterval(goLate, late, late).unref();
    const one = { number, go };
    share.waiting.add(one);
  });
}

interface Candidate {
  one: Waiting;
  rank: number;
}

function earlier(first: Candidate | undefined, other: Candidate): Candidate {
  if (!first || other.rank < first.rank) return other;
  return other.rank === first.rank && other.one.number < first.one.number ? other : first;
}

function once(leave: Leave): Leave {
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    leave();
  };
}

function atOnce(next: () => void): void {
  next();
}
