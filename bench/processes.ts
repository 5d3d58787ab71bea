import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process, as the operating system reports it. On Linux, `cpuMilliseconds` includes children that have ended. */
interface Entry {
  pid: number;
  parent: number;
  cpuMilliseconds: number;
  residentKiB: number;
}

const isLinux = process.platform === 'linux';
const ticksPerSecond = isLinux ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 100;
const pageKiB = isLinux ? Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })) / 1024 : 4;

/** CPU time, user and system, that these processes and all their descendants have used so far, in milliseconds. */
export function cpuMilliseconds(roots: readonly number[]): number {
  return trees(roots).reduce((total, entry) => total + entry.cpuMilliseconds, 0);
}

/** Resident memory of one process in MiB. */
export function residentMiB(pid: number): number {
  return (entries().find((entry) => entry.pid === pid)?.residentKiB ?? 0) / 1024;
}

/**
 * Memory of these processes and all their descendants in MiB. Where the system reports the proportional set size, shared pages are counted
 * once, otherwise once per process.
 */
export function memoryMiB(roots: readonly number[]): number {
  return trees(roots).reduce((total, entry) => total + (proportionalKiB(entry.pid) ?? entry.residentKiB), 0) / 1024;
}

function trees(roots: readonly number[]): Entry[] {
  const all = entries();
  const wanted = new Set(roots);
  for (let before = -1; before < wanted.size; ) {
    before = wanted.size;
    for (const entry of all) if (wanted.has(entry.parent)) wanted.add(entry.pid);
  }
  return all.filter((entry) => wanted.has(entry.pid));
}

function entries(): Entry[] {
  return isLinux ? linuxEntries() : psEntries();
}

function linuxEntries(): Entry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readOrNull(`/proc/${name}/stat`);
      if (stat === null) return [];
      // The name in parentheses may contain spaces. Fields are counted after it, from the state on.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent = 0, resident = 0] = [fields[1], fields[21]];
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0);
      const cpu = (ticks * 1000) / ticksPerSecond;
      return [{ pid: Number(name), parent, cpuMilliseconds: cpu, residentKiB: resident * pageKiB }];
    });
}

function psEntries(): Entry[] {
  const output = execFileSync('ps', ['-axo', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, residentKiB, time = ''] = line.trim().split(/\s+/);
      const seconds = time.split(/[:-]/).reduce((total, part) => total * 60 + Number(part), 0);
      return {
        pid: Number(pid),
        parent: Number(parent),
        cpuMilliseconds: seconds * 1000,
        residentKiB: Number(residentKiB),
      };
    });
}

function proportionalKiB(pid: number): number | null {
  const rollup = readOrNull(`/proc/${pid}/smaps_rollup`);
  const found = /^Pss:\s+(\d+) kB/m.exec(rollup ?? '');
  return found ? Number(found[1]) : null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
