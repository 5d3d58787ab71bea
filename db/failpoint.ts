type Action = 'kill' | 'hang' | 'throw';

interface Armed {
  action: Action;
  /** Number of the hit that acts, from 1. */
  hit: number;
  hits: number;
}

const armed = new Map<string, Armed>();

/** Arms points from text like `charge.confirmed=kill,renewal.committed=throw:2` (the second hit). Without it every point is inert. */
export function armFailpoints(text: string): void {
  armed.clear();
  for (const entry of text.split(',').filter((part) => part.includes('='))) {
    const [name = '', rest = ''] = entry.trim().split('=');
    const [action, hit] = rest.split(':');
    if (action !== 'kill' && action !== 'hang' && action !== 'throw')
      throw new Error(`Unknown failpoint action: ${entry}`);
    armed.set(name, { action, hit: Number(hit ?? 1), hits: 0 });
  }
}

/** A place where a crash is tested: does nothing unless armed. Writes to standard error when it acts, so that a test can assert the hit. */
export async function failpoint(name: string): Promise<void> {
  const point = armed.get(name);
  if (!point) return;
  point.hits += 1;
  if (point.hits !== point.hit) return;
  process.stderr.write(`failpoint hit: ${name}\n`);
  if (point.action === 'kill') process.kill(process.pid, 'SIGKILL');
  if (point.action === 'throw') throw new Error(`failpoint: ${name}`);
  await new Promise(() => undefined);
}
