import { Gauge, type Registry } from 'prom-client';
import type { EntityManager } from '../db/orm.ts';
import type { Pauses } from '../workers/pausableWorkers.ts';
import { repeat } from './repeat.ts';

const EVERY_MILLISECONDS = 5000;
/** A clock that differs from the database's by more is wrong. */
const MOST_SECONDS = 5;

/** It pauses a worker while the clock of its machine is wrong. */
export interface ClockWatch extends Pauses {
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
  const listeners: (() => void)[] = [];
  let isWrong = false;
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
    if (Math.abs(offset) - doubt > MOST_SECONDS === isWrong) return;
    isWrong = !isWrong;
    if (isWrong)
      log.error(
        { seconds: offset },
        "this machine's clock differs from the database's: a worker takes no due work until it is right (NTP)",
      );
    else log.info({ seconds: offset }, "this machine's clock is right again");
    for (const listener of listeners) listener();
  };
  return {
    ...repeat(EVERY_MILLISECONDS, look),
    isPaused: () => isWrong,
    onChange: (listener) => void listeners.push(listener),
    look,
  };
}
