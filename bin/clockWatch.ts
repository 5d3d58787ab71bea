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

/** What is wrong while the clocks differ, in words for operators. */
export const CLOCK_WRONG =
  "this machine's clock differs from the database's: a worker takes no due work until it is right (NTP)";

/** Asks the database for its time, in milliseconds since 1970. */
type AskTime = (sql: string) => Promise<{ at: string }[]>;

/** Seconds by which this machine's clock is ahead of the database's, and whether that is too much. Null: the database did not tell. */
export async function compareClocks(ask: AskTime): Promise<{ seconds: number; isWrong: boolean } | null> {
  const before = Date.now();
  const [row] = await ask('select extract(epoch from clock_timestamp()) * 1000 as at');
  if (!row) return null;
  const after = Date.now();
  const seconds = ((before + after) / 2 - Number(row.at)) / 1000;
  const doubt = (after - before) / 2000; // an answer that took long says less
  return { seconds, isWrong: Math.abs(seconds) - doubt > MOST_SECONDS };
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
    const compared = await compareClocks((sql) => em.fork().execute(sql)).catch(() => null);
    if (!compared) return;
    const { seconds } = compared;
    gauge.set(seconds);
    if (compared.isWrong === isWrong) return;
    isWrong = compared.isWrong;
    if (isWrong) log.error({ seconds }, CLOCK_WRONG);
    else log.info({ seconds }, "this machine's clock is right again");
    for (const listener of listeners) listener();
  };
  return {
    ...repeat(EVERY_MILLISECONDS, look),
    isPaused: () => isWrong,
    onChange: (listener) => void listeners.push(listener),
    look,
  };
}
