type Action = 'kill' | 'hang' | 'throw';

interface Armed {
  /** The action, by the number of the hit, from 1. */
  actions: Map<number, Action>;
  hits: number;
}

const armed = new Map<string, Armed>();

/**
 * Arms points from text like `charge.confirmed=kill,renewal.committed=throw:2` (the second hit). A point can be named several times, with
 * different hits. Without it every point is inert.
 */
export function armFailpoints(text: string): void {
  armed.clear();
  for (const entry of text.split(',').filter((part) => part.includes('='))) {
    const [name = '', rest = ''] = entry.trim().split('=');
    const [action, hit] = rest.split(':');
    if (action !== 'kill' && action !== 'hang' && action !== 'throw')
      throw new Error(`Unknown failpoint action: ${entry}`);
    const point = armed.get(name) ?? { actions: new Map<number, Action>(), hits: 0 };
    armed.set(name, point);
    point.actions.set(Number(hit ?? 1), action);
  }
}

/** A place where a crash is tested: does nothing unless armed. Writes to standard error when it acts, so that a test can assert the hit. */
export async function failpoint(name: string): Promise<void> {
  const point = armed.get(name);
  if (!point) return;
  point.hits += 1;
  const action = point.actions.get(point.hits);
  if (!action) return;
  process.stderr.write(`failpoint hit: ${name}\n`);
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  if (action === 'throw') throw new Error(`failpoint: ${name}`);
  await new Promise(() => undefined);
}
