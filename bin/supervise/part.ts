import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from '../local/process.ts';
import type { PartsRecord } from './parts.ts';

/** Members that every running part has. */
export interface RunningPart {
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** How to start a part. `start` must call `onSpawn` as soon as it has a process. */
export interface PartRecipe<T extends RunningPart> {
  name: string;
  start(onSpawn: (child: Child) => void): Promise<T>;
  record: PartsRecord;
  progress: (line: string) => void;
}

/** A part under supervision. `start` throws if the first start fails. Afterwards the part is restarted whenever it ends, until `stop`. */
export interface SupervisedPart<T> {
  start(): Promise<T>;
  /** Ends the part, by force after this time. */
  stop(mostMilliseconds: number): Promise<void>;
}

const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 30_000;
const HEALTHY_MILLISECONDS = 60_000;

/** Supervises a part. The pause before a restart doubles each time, up to 30 s. It is reset when the part has run for a minute. */
export function supervise<T extends RunningPart>({ name, start, record, progress }: PartRecipe<T>): SupervisedPart<T> {
  const stopping = new AbortController();
  let current: Child | null = null;
  let patience: number | undefined;
  let keeping = Promise.resolve();
  const startOnce = () =>
    start((child) => {
      current = child;
      record.add(name, child.pid);
      if (stopping.signal.aborted) void child.stop(patience);
    });
  const keep = async (first: T) => {
    let running: T | null = first;
    let wait = FIRST_PAUSE_MILLISECONDS;
    while (running) {
      const startedAt = performance.now();
      const ending: string = await running.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > HEALTHY_MILLISECONDS) wait = FIRST_PAUSE_MILLISECONDS;
      progress(`${ending}; restarting it`);
      running = null;
      while (!running && !stopping.signal.aborted) {
        await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MILLISECONDS);
        if (!stopping.signal.aborted) running = await startOnce().catch((error) => sayAndGoOn(error, progress));
      }
    }
  };
  return {
    start: async () => {
      const first = await startOnce();
      keeping = keep(first);
      return first;
    },
    stop: async (mostMilliseconds) => {
      patience = mostMilliseconds;
      stopping.abort();
      await current?.stop(mostMilliseconds);
      await keeping;
      record.remove(name);
    },
  };
}

function sayAndGoOn(error: unknown, progress: (line: string) => void): null {
  progress(error instanceof Error ? error.message : String(error));
  return null;
}
