import { readFileSync } from 'node:fs';
import { memoryMiB } from '../../bench/processes.ts';
import type { Stage } from '../../bench/stage.ts';

const PARTS = ['postgres', 'temporal', 'api', 'worker'] as const;
type Part = (typeof PARTS)[number];

/** Checks each second that every process runs, and measures its memory, children included. */
export interface Watch {
  /** Processes that ended, with the last lines of their logs. */
  ended: readonly string[];
  /** MiB: at the start, and the maximum. */
  memory: Readonly<Record<Part, { first: number; most: number }>>;
  stop(): Promise<void>;
}

const LOOK_MILLISECONDS = 1000;
/** PostgreSQL logs this when one of its processes crashed, which restarts all of them. */
const POSTGRES_CRASH = /PANIC|terminated by signal|terminating any other active/;

/** Starts watching. An API or worker that ended is started again, so that the siege continues and can find more crashes. */
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
  watching.catch(() => undefined); // `stop` throws the error
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
    // A zombie still has a process id.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-3).join(' | ').slice(-600);
}
