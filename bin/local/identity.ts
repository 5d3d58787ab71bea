import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process number together with when that process began: numbers are used again, pairs are not. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** The identity of a running process; null when none has that number or it is only a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : psStart(pid);
  return startedAt ? { pid, startedAt } : null;
}

/** Whether exactly that process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Clock ticks since boot, with the boot they count from. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before may contain spaces
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch {
    return null;
  }
}

function psStart(pid: number): string | null {
  try {
    const [state = 'Z', ...started] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}
