/** Gives a place back; a second call does nothing. */
export type Leave = () => void;

/** A number of places, lent so that nobody keeps others from having one. */
export interface Places<Who> {
  /** Waits for a place. Rejects with the refusal when too many of theirs wait already. */
  take(who: Who): Promise<Leave>;
  /** Has a place at once, even beyond the limits: for work that has been let in before. */
  retake(who: Who): Leave;
  /** How many wait. */
  readonly waiting: number;
}

export interface PlacesOptions<Who> {
  size: number;
  /** How many places somebody may have. */
  most(who: Who): number;
  /** How many of somebody's may wait at a time. */
  mostWaiting: number;
  /** The error for whoever may not wait. */
  refusal(who: Who): Error;
  /** Whether somebody goes before all others, however many places they have. */
  goesFirst?(who: Who): boolean;
  /**
   * One that has waited for so long, in milliseconds, gets a place beyond the limits: work that holds a place and asks for another does
   * not wait for itself for ever. Only one of somebody's in that time: else they would have all places in the end.
   */
  late?: number;
  /** Calls `next` when a place has become free. Without it the next one goes at once. */
  handOver?(next: () => void): void;
  /** Told of each that got its place late, and of each that was refused. */
  note?(end: UnusualWait): void;
}

export type UnusualWait = 'late' | 'refused';

/** The places that somebody has, and those of theirs that wait, in the order in which they came. */
interface Share {
  held: number;
  waiting: Set<Waiting>;
  /** When one of theirs last got a place because it had waited for long. */
  lateAt: number;
}

interface Waiting {
  /** Lower for what came earlier. */
  number: number;
  go(): void;
}

/** Of those who wait, whoever has the fewest places goes first; of those who have as many, whoever came first. */
export function createPlaces<Who>(options: PlacesOptions<Who>): Places<Who> {
  const { size, most, mostWaiting, refusal, late, note, goesFirst = () => false, handOver = atOnce } = options;
  const shares = new Map<Who, Share>();
  let held = 0;
  let waiting = 0;
  let came = 0;
  const shareOf = (who: Who): Share => {
    const share = shares.get(who) ?? { held: 0, waiting: new Set(), lateAt: Number.NEGATIVE_INFINITY };
    shares.set(who, share);
    return share;
  };
  const mayHave = (who: Who) => held < size && (shares.get(who)?.held ?? 0) < most(who);
  const next = (): Waiting | undefined => {
    let first: Candidate | undefined;
    for (const [who, share] of shares) {
      const [one] = share.waiting;
      if (one && mayHave(who)) first = earlier(first, { one, rank: goesFirst(who) ? -1 : share.held });
    }
    return first?.one;
  };
  const letIn = () => {
    for (let one = next(); one; one = next()) one.go();
  };
  const enter = (who: Who): Leave => {
    const share = shareOf(who);
    held += 1;
    share.held += 1;
    return once(() => {
      held -= 1;
      share.held -= 1;
      if (share.held === 0 && share.waiting.size === 0) shares.delete(who);
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

/** Waits among those of a share until it is called, or late. */
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
