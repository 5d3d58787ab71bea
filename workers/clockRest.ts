import { cpus } from 'node:os';
import { createRecent } from '../db/recent.ts';

/** Busy share of the machine's processors from which on clocks rest. */
const BUSY = 0.7;
/** Share of the time in which the clocks of one account move meanwhile. */
const SHARE = 0.25;
const LONGEST_REST_MILLISECONDS = 2000;
/** An account counts as working for so long after its last activity. */
const LATELY_MILLISECONDS = 5000;
const LOOK_MILLISECONDS = 500;

/** Slows test clocks down where they would slow down other accounts. */
export interface ClockRest {
  /** An account has work in this process. */
  note(accountId: number): void;
  /** How long a clock rests after it was busy for so many milliseconds, beside other clocks of its account. */
  after(accountId: number, busy: { milliseconds: number; clocks: number }): number;
}

/** `load`: busy share of the processors lately, 0 to 1. */
export function createClockRest(load: () => number = createLoad()): ClockRest {
  const recent = createRecent<number>(LATELY_MILLISECONDS);
  return {
    note: recent.note,
    after(accountId, { milliseconds, clocks }) {
      if (recent.isAlone(accountId) || load() < BUSY) return 0;
      return Math.min(milliseconds * (clocks / SHARE - 1), LONGEST_REST_MILLISECONDS);
    },
  };
}

/** Measures the processors over the last half second or more. */
function createLoad(): () => number {
  let [before, lookedAt, load] = [times(), performance.now(), 0];
  return () => {
    if (performance.now() - lookedAt < LOOK_MILLISECONDS) return load;
    const now = times();
    load = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all);
    [before, lookedAt] = [now, performance.now()];
    return load;
  };
}

function times(): { idle: number; all: number } {
  let [idle, all] = [0, 0];
  for (const { times: spent } of cpus()) {
    idle += spent.idle;
    all += spent.user + spent.nice + spent.sys + spent.irq + spent.idle;
  }
  return { idle, all };
}
