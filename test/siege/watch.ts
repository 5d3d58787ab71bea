import { readFileSync } from 'node:fs';
import { memoryMiB } from '../../bench/processes.ts';
import type { Stage } from '../../bench/stage.ts';

const PARTS = ['postgres', 'temporal', 'api', 'worker'] as const;
type Part = (typeof PARTS)[number];

/** Looks each second whether every process is there, and how much memory each has, its children included. */
export interface Watch {
  /** What ended, when and why, as far as the logs tell. */
  ended: readonly string[];
  /** MiB: at the beginning, and at the most. */
  memory: Readonly<Record<Part, { first: number; most: number }>>;
  stop(): Promise<void>;
}

const LOOK_MILLISECONDS = 1000;
/** What PostgreSQL logs when one of its processes ended badly, and all others with it. */
const POSTGRES_CRASH = /PANIC|terminated by signal|terminating any other active/;

/** Begins to watch. A role that has ended is started again, so that the siege tells of more than its first end. */
export function watchProcesses(stage: Stage): Watch {
  const ended: string[] = [];
  const memory = Object.fromEntries(PARTS.map((part) => [part, { first: 0, most: 0 }])) as Record<
    Part,
    { first: number; most: number }
  >;
  let isOver = false;
  const look = async () => {
    for (const part of PARTS) {
      const { pid } = stage[part];
      if (!isAlive(pid)) {
        ended.push(`${part} (process ${pid}) ended; its log ends with: ${lastLines(stage.logFile(part))}`);
        if (part !== 'api' && part !== 'worker') throw new Error(`${part} ended`);
        await stage.restart(part);
      }
      const used = memoryMiB([pid]);
      memory[part] = { first: memory[part].first || used, most: Math.max(memory[part].most, used) };
    }
  };
  const watching = (async () => {
    while (!isOver) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
    }
  })();
  watching.catch(() => undefined); // told by stop
  return {
    ended,
    memory,
    async stop() {
      isOver = true;
      await watching;
      const crash = readFileSync(stage.logFile('postgres'), 'utf8')
        .split('\n')
        .find((line) => POSTGRES_CRASH.test(line));
      if (crash) ended.push(`a process of PostgreSQL: ${crash}`);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    // A child that ended and was not waited for would still have a number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-3).join(' | ').slice(-600);
}
