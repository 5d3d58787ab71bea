import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_MILLISECONDS = 50;
/** Where only `ps` tells it, which is a process of its own. */
const PS_MILLISECONDS = 250;
const isLinux = process.platform === 'linux';

/** Calls `onOver` once a process holds more resident memory than `mostMiB`. Answers what ends the watch. */
export function watchMemory(pid: number, mostMiB: number, onOver: () => void): () => void {
  const check = (mebibytes: number) => mebibytes > mostMiB && onOver();
  const look = () => (isLinux ? check(residentMiB(pid)) : execFile('ps', ['-o', 'rss=', '-p', String(pid)], asked));
  const asked = (_: unknown, kibibytes: string) => check(Number(kibibytes) / 1024);
  const timer = setInterval(look, isLinux ? LOOK_MILLISECONDS : PS_MILLISECONDS);
  return () => clearInterval(timer);
}

/** 0: it has ended, or the system tells it in another way. */
export function residentMiB(pid: number): number {
  try {
    const [, kibibytes = 0] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return 0;
  }
}
