import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { EntityManager } from '../db/orm.ts';
import type { Pauses } from '../workers/pausableWorkers.ts';

const EVERY_MILLISECONDS = 5000;
/** A clock that differs from the database's by more is wrong. */
const MOST_SECONDS = 5;

export interface ClockWatch extends Pauses {
  /** By how many seconds this machine's clock is wrong, ahead of the database's or behind it (negative). 0: it is right, or not compared yet. */
  wrongBy(): number;
  /** Compares the clocks once. Does not throw: while the database is away, the last result holds. */
  look(): Promise<void>;
  close(): Promise<void>;
}

interface Watched {
  em: EntityManager;
  log: { error(what: object, words: string): void; info(what: object, words: string): void };
  registry: Registry;
}

/** Compares this machine's clock with the database's every five seconds. */
export function watchClock({ em, log, registry }: Watched): ClockWatch {
  const gauge = new Gauge({
    name: 'perennial_clock_offset_seconds',
    help: "Seconds by which this machine's clock is ahead of the database's",
    registers: [registry],
  });
  const closing = new AbortController();
  const listeners: (() => void)[] = [];
  let wrongBy = 0;
  const look = async () => {
    const before = Date.now();
    const [row] = await em
      .fork()
      .execute<{ at: string }[]>('select extract(epoch from clock_timestamp()) * 1000 as at')
      .catch(() => []);
    if (!row) return;
    const after = Date.now();
    const offset = ((before + after) / 2 - Number(row.at)) / 1000;
    const doubt = (after - before) / 2000; // an answer that took long says less
    gauge.set(offset);
    const isWrong = Math.abs(offset) - doubt > MOST_SECONDS;
    if (isWrong && wrongBy === 0)
      log.error(
        { seconds: offset },
        "this machine's clock differs from the database's: a worker takes no due work until it is right (NTP)",
      );
    if (!isWrong && wrongBy !== 0) log.info({ seconds: offset }, "this machine's clock is right again");
    const hasChanged = isWrong !== (wrongBy !== 0);
    wrongBy = isWrong ? offset : 0;
    if (hasChanged) for (const listener of listeners) listener();
  };
  const watch = async () => {
    while (!closing.signal.aborted) {
      await look();
      await pause(EVERY_MILLISECONDS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  };
  const watching = watch();
  return {
    wrongBy: () => wrongBy,
    isPaused: () => wrongBy !== 0,
    onChange: (listener) => void listeners.push(listener),
    look,
    async close() {
      closing.abort();
      await watching;
    },
  };
}
