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
  /** Number of places that are taken. */
  readonly taken: number;
}

export interface PlacesOptions<Who> {
  size: number;
  /** Maximum number of places of one holder. */
  most(who: Who): number;
  /** Maximum number of queued requests per holder. */
  mostWaiting: number;
  /** The error for a request that may not wait. */
  refusal(who: Who): Error;
  /** Milliseconds until a holder may take its next place; 0: at once. */
  rest?(who: Who): number;
  /** Whether a holder goes before all others, however many places it has. */
  goesFirst?(who: Who): boolean;
  /**
   * After this wait, in milliseconds, a request gets a place beyond the limits, so that work that holds a place and asks for another cannot
   * deadlock. A holder gets one such place at most in this time; otherwise it would get all places in the end.
   */
  late?: number;
  /** After this wait, in milliseconds, a request is refused: its client would give up. */
  longest?: number;
  /** Once the signal has aborted, a request is refused after this many milliseconds: waits would hold up the end of the process. */
  closing?: { signal: AbortSignal; longest: number };
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
  /** Runs while the holder rests. */
  resting: NodeJS.Timeout | undefined;
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
  const { size, most, mostWaiting, refusal, note } = options;
  const { rest = () => 0, goesFirst = () => false, handOver = atOnce } = options;
  const { shares, shareOf, forget } = createHolders<Who>();
  let taken = 0;
  let waiting = 0;
  let came = 0;
  const mayHave = (who: Who, share: Share): boolean => {
    if (taken >= size || share.taken >= most(who)) return false;
    return !isResting(share, rest(who), () => {
      forget(who, share);
      letIn();
    });
  };
  const next = (): Waiting | undefined => {
    let first: Candidate | undefined;
    for (const [who, share] of shares) {
      const [one] = share.waiting;
      if (one && mayHave(who, share)) first = earlier(first, { one, rank: goesFirst(who) ? -1 : share.taken });
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
      forget(who, share);
      if (waiting > 0) handOver(letIn);
    });
  };
  const refuse = (who: Who): Error => {
    waiting -= 1;
    note?.('refused');
    return refusal(who);
  };
  return {
    get waiting() {
      return waiting;
    },
    get taken() {
      return taken;
    },
    take(who) {
      const share = shareOf(who);
      if (mayHave(who, share)) return Promise.resolve(enter(who));
      waiting += 1;
      if (share.waiting.size >= mostWaiting) return Promise.reject(refuse(who));
      const leaveQueue = () => {
        waiting -= 1;
        return enter(who);
      };
      return waitIn(share, { number: came++, enter: leaveQueue, refuse: () => refuse(who) }, options);
    },
    retake: enter,
  };
}

/** The shares of all holders that have a place, wait for one or rest. */
function createHolders<Who>() {
  const shares = new Map<Who, Share>();
  return {
    shares,
    shareOf(who: Who): Share {
      const known = shares.get(who);
      if (known) return known;
      const share: Share = { taken: 0, waiting: new Set(), resting: undefined, lateAt: Number.NEGATIVE_INFINITY };
      shares.set(who, share);
      return share;
    },
    forget(who: Who, share: Share): void {
      if (share.taken === 0 && share.waiting.size === 0 && !share.resting) shares.delete(who);
    },
  };
}

/** Begins a rest of this many milliseconds unless one runs already, and calls `over` at its end. False if there is nothing to rest. */
function isResting(share: Share, milliseconds: number, over: () => void): boolean {
  if (share.resting) return true;
  if (milliseconds <= 0) return false;
  share.resting = setTimeout(() => {
    share.resting = undefined;
    over();
  }, milliseconds).unref();
  return true;
}

interface Coming {
  number: number;
  enter(): Leave;
  /** Counts the request as refused and returns its error. */
  refuse(): Error;
}

/** Waits in a share until its turn comes, until it gets a place late, or until its longest wait is over. */
function waitIn(
  share: Share,
  { number, enter, refuse }: Coming,
  { late, longest, closing, note }: Pick<PlacesOptions<never>, 'late' | 'longest' | 'closing' | 'note'>,
): Promise<Leave> {
  return new Promise((resolve, reject) => {
    const leaveQueue = () => {
      clearInterval(timer);
      clearTimeout(limit);
      closing?.signal.removeEventListener('abort', hurry);
      share.waiting.delete(one);
    };
    const go = () => {
      leaveQueue();
      resolve(enter());
    };
    const goLate = (milliseconds: number) => {
      if (share.lateAt + milliseconds > performance.now()) return;
      share.lateAt = performance.now();
      note?.('late');
      go();
    };
    const timer = late === undefined ? undefined : setInterval(goLate, late, late).unref();
    const giveUp = () => {
      leaveQueue();
      reject(refuse());
    };
    let limit = longest === undefined ? undefined : setTimeout(giveUp, longest).unref();
    const hurry = () => {
      clearTimeout(limit);
      limit = setTimeout(giveUp, closing?.longest).unref();
    };
    if (closing?.signal.aborted) hurry();
    else closing?.signal.addEventListener('abort', hurry);
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
