import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process id with the start time of the process. Systems reuse process ids, but not this pair. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** The identity of a running process. Null if no process has this id, or only a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : psStart(pid);
  return startedAt ? { pid, startedAt } : null;
}

/** Whether exactly this process is still running. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** The id of the boot, and the start time in clock ticks since then. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the process name before it may contain spaces
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
