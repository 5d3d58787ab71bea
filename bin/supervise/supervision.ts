import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../local/process.ts';
import { type RunningPart, type SupervisedPart, supervise } from './part.ts';
import { openPartsRecord } from './parts.ts';

const LOG_LIMIT_BYTES = 10_000_000;

/** Supervises the parts of one instance. */
export interface Supervision {
  /** Starts a part, and restarts it whenever it ends. Throws if the first start fails. */
  run<T extends RunningPart>(name: string, start: (onSpawn: (child: Child) => void) => Promise<T>): Promise<T>;
  progress(line: string): void;
  /** Path of a part's log file. A large file is renamed when the part's first start begins. */
  logFile(name: string): string;
  /** Stops the parts step by step, those of a step at the same time. Parts that never started are skipped. */
  stop(steps: readonly StopStep[]): Promise<void>;
}

/** Parts that stop at the same time, each by force after this time. */
export interface StopStep {
  names: readonly string[];
  mostMilliseconds: number;
}

export function openSupervision(dataFolder: string, print: (line: string) => void): Supervision {
  const record = openPartsRecord(dataFolder);
  const parts = new Map<string, SupervisedPart<RunningPart>>();
  let stopping = false;
  const progress = (line: string) => {
    if (!stopping) print(line);
  };
  return {
    progress,
    logFile: (name) => openLogFile(join(dataFolder, 'logs'), name),
    run: (name, start) => {
      if (stopping) throw new Error(`${name} is not started any more`);
      const part = supervise({ name, start, record, progress });
      parts.set(name, part);
      return part.start();
    },
    stop: async (steps) => {
      stopping = true;
      for (const { names, mostMilliseconds } of steps)
        await Promise.all(names.map((name) => parts.get(name)?.stop(mostMilliseconds)));
    },
  };
}

function openLogFile(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return file;
}
