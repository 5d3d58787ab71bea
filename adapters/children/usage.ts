import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_MILLISECONDS = 50;
/** Interval on systems without `/proc`, where each look starts the program `ps`. */
const PS_MILLISECONDS = 250;
const isLinux = process.platform === 'linux';

/** Resources that a process uses. */
export interface Usage {
  /** Resident memory, MiB. */
  memory: number;
  /** CPU time of all its threads, milliseconds. */
  processorTime: number;
}

/**
 * Watches a process and calls `onOver` at each look that finds it above a limit. CPU time counts from now on. Returns a function that ends
 * the watch.
 */
export function watchUsage(pid: number, most: Usage, onOver: (what: keyof Usage) => void): () => void {
  let before: number | null = null;
  const check = ({ memory, processorTime }: Usage) => {
    before ??= processorTime;
    if (memory > most.memory) onOver('memory');
    else if (processorTime - before > most.processorTime) onOver('processorTime');
  };
  const asked = (error: Error | null, listed: string) => error === null && check(listedUsage(listed));
  const look = () => {
    if (isLinux) check({ memory: residentMiB(pid), processorTime: processorMilliseconds(pid) });
    else execFile('ps', ['-o', 'rss=,time=', '-p', String(pid)], asked);
  };
  look();
  const timer = setInterval(look, isLinux ? LOOK_MILLISECONDS : PS_MILLISECONDS);
  return () => clearInterval(timer);
}

/** Resident memory in MiB. 0 if the process has ended, or if the system has no `/proc`. */
export function residentMiB(pid: number): number {
  const [, kibibytes = 0] = /^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status')) ?? [];
  return Number(kibibytes) / 1024;
}

/** `/proc` counts CPU time in hundredths of a second (USER_HZ), independent of the kernel's own ticks. */
const TICK_MILLISECONDS = 10;

/**
 * User and system time: fields 14 and 15 of `stat`. Fields are counted after the program's name, which may contain spaces and parentheses.
 */
function processorMilliseconds(pid: number): number {
  const stat = readProc(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // begins with field 3
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MILLISECONDS;
}

function readProc(pid: number, file: 'status' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Parses the output of `ps`: KiB, then time as "0:12.34", "00:00:12" or "1-02:03:04". */
function listedUsage(listed: string): Usage {
  const [kibibytes = '0', time = '0'] = listed.trim().split(/\s+/);
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = time.split(/[:-]/).map(Number).reverse();
  return {
    memory: Number(kibibytes) / 1024,
    processorTime: (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000,
  };
}
