import { availableParallelism } from 'node:os';

/** Default time for which a holder counts as active after it asked for a place. */
const ACTIVE_MILLISECONDS = 1000;

/** Remembers who asked for a place recently. */
export interface Recent<Who> {
  note(who: Who): void;
  /** True if nobody else has asked recently. */
  isAlone(who: Who): boolean;
}

export function createRecent<Who>(latelyMilliseconds = ACTIVE_MILLISECONDS): Recent<Who> {
  let [last, other]: { who: Who; at: number }[] = [];
  return {
    note(who) {
      if (last && last.who !== who) other = last;
      last = { who, at: performance.now() };
    },
    isAlone(who) {
      const someone = last?.who === who ? other : last;
      return !someone || someone.at + latelyMilliseconds < performance.now();
    },
  };
}

/**
 * While the machine is busy and several accounts are at work, slows down the one that has used connections most, so that the others find the
 * processors free. Time on a connection stands for all work that goes with it, in this process and in PostgreSQL. Other work, such as wakes
 * in Temporal, is reported as so much time.
 */
export interface ConcurrencyLimit<Who> {
  /** Call when a holder is at work: from then on, others are not alone. */
  ask(who: Who): void;
  /** Call when a holder gives a connection back that it had for so long, and for other work that takes as much of the machine. */
  used(who: Who, milliseconds: number): void;
  /** Milliseconds until the holder may have another connection; 0: at once, as for those that `used` never names. */
  rest(who: Who): number;
  /** The holders that rest now. */
  resting(): Who[];
}

/** Busy share of the processors that the limit aims at. */
const AIM = 0.7;
/**
 * Connections that all holders together have in use, on average and for each processor, below which nobody rests: they are not what keeps
 * the machine busy, so a rest would free nothing.
 */
const LITTLE = 0.25;
/** Connections that an account may keep in use, on average: most, and fewest. */
const LIMIT = { most: availableParallelism(), fewest: 0.1 };
/** Factor of the limit after each look at the processors. */
const CHANGE = { busy: 0.6, free: 1.02 };
const LOOK_MILLISECONDS = 200;
/** Time constants of the moving averages of a holder's use. */
const AVERAGE_MILLISECONDS = { short: 1000, long: 10_000 };
/** A holder rests only if its ten-second average is above that of every other holder by this factor. So a short burst does not rest. */
const MARGIN = 1.25;
const LONGEST_REST_MILLISECONDS = 500;
/** An account is active until this long after its last request. */
const LATELY_MILLISECONDS = 5000;

/** Sums of milliseconds on connections, each weighted by its age, for both moving averages. */
interface Use {
  short: number;
  long: number;
  at: number;
}

interface ConcurrencyLimitOptions {
  /** Busy share of the processors since the last call, 0 to 1. Called every 0.2 s at most. */
  load: () => number;
  /** The limit never falls below this number of connections. */
  fewest?: number;
  processors?: number;
  /** Milliseconds that have passed. */
  elapsed?: () => number;
}

export function createConcurrencyLimit<Who>(options: ConcurrencyLimitOptions): ConcurrencyLimit<Who> {
  const { load, fewest = LIMIT.fewest, processors = LIMIT.most, elapsed = () => performance.now() } = options;
  const recent = createRecent<Who>(LATELY_MILLISECONDS);
  const uses = new Map<Who, Use>();
  let [limit, lookedAt] = [LIMIT.most, elapsed()];
  const look = () => {
    if (elapsed() - lookedAt < LOOK_MILLISECONDS) return;
    lookedAt = elapsed();
    limit = load() < AIM ? Math.min(limit * CHANGE.free, LIMIT.most) : Math.max(limit * CHANGE.busy, fewest);
    for (const [who, use] of uses) if (decayed(use, elapsed()).long < 1) uses.delete(who);
  };
  /** Average number of connections that a holder has in use. */
  const connectionsOf = (who: Who, average: 'short' | 'long') => {
    const use = uses.get(who);
    return use ? decayed(use, elapsed())[average] / AVERAGE_MILLISECONDS[average] : 0;
  };
  const rest = (who: Who): number => {
    look();
    const used = connectionsOf(who, 'short');
    if (used <= limit || recent.isAlone(who)) return 0;
    const most = { short: 0, long: 0 };
    let all = used;
    for (const other of uses.keys()) {
      if (other === who) continue;
      const short = connectionsOf(other, 'short');
      all += short;
      most.short = Math.max(most.short, short);
      most.long = Math.max(most.long, connectionsOf(other, 'long'));
    }
    if (all <= LITTLE * processors) return 0;
    if (connectionsOf(who, 'long') <= Math.max(limit, MARGIN * most.long)) return 0;
    const allowed = Math.max(limit, most.short);
    if (used <= allowed) return 0;
    return Math.min(AVERAGE_MILLISECONDS.short * Math.log(used / allowed), LONGEST_REST_MILLISECONDS);
  };
  return {
    ask: recent.note,
    used(who, milliseconds) {
      const { short, long, at } = decayed(uses.get(who) ?? NONE, elapsed());
      uses.set(who, { short: short + milliseconds, long: long + milliseconds, at });
    },
    rest,
    resting: () => [...uses.keys()].filter((who) => rest(who) > 0),
  };
}

/** The limit of a process in which nobody is slowed down. */
export const NOBODY_RESTS = { ask: () => undefined, used: () => undefined, rest: () => 0, resting: () => [] };

const NONE: Use = { short: 0, long: 0, at: 0 };

/** A use at a later time. */
function decayed({ short, long, at }: Use, now: number): Use {
  const weight = (average: number) => Math.exp((at - now) / average);
  return { short: short * weight(AVERAGE_MILLISECONDS.short), long: long * weight(AVERAGE_MILLISECONDS.long), at: now };
}
