import { attackNews, type Orders } from './orders.ts';
import { startSiegeProgram } from './program.ts';
import type { Tally } from './tally.ts';

/** When an attack ran, in epoch milliseconds. */
export interface Stretch {
  attack: string;
  from: number;
  to: number;
}

/** The attacker, in its own process. */
export interface Assault {
  /** Attacks until a time (epoch milliseconds). Returns a tally of the answers. */
  attack(until: number): Promise<Tally>;
  stretches: readonly Stretch[];
  pid: number;
  stop(): Promise<void>;
}

/** After its window an attack still waits for its last answers, for at most this long. */
const LONGEST_END_MILLISECONDS = 120_000;
const NICENESS = 10;

/** Starts the attacker. Resolves when it has created its API keys. */
export async function startAssault(orders: Orders, logFile: string): Promise<Assault> {
  const stretches: Stretch[] = [];
  const ready = Promise.withResolvers<void>();
  let done = Promise.withResolvers<Tally>();
  const onMessage = (message: unknown) => {
    const { ready: isReady, began, ended, tally } = attackNews.parse(message);
    if (isReady) ready.resolve();
    if (began) stretches.push({ attack: began, from: Date.now(), to: Number.POSITIVE_INFINITY });
    const open = stretches.findLast(({ attack, to }) => attack === ended && to === Number.POSITIVE_INFINITY);
    if (open) open.to = Date.now();
    if (tally) done.resolve(tally);
  };
  const { program } = await startSiegeProgram({ program: './attacker.ts', logFile, niceness: NICENESS, onMessage });
  program.say({ orders });
  await ready.promise;
  return {
    stretches,
    pid: program.pid,
    stop: program.stop,
    attack: async (until) => {
      done = Promise.withResolvers<Tally>();
      program.say({ attack: { until } });
      const longest = until - Date.now() + LONGEST_END_MILLISECONDS;
      const tooLate = new Promise<Tally>((resolve) => setTimeout(resolve, longest, {}).unref());
      return Promise.race([done.promise, tooLate]);
    },
  };
}
