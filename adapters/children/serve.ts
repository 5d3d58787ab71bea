import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Messages of a child: first that it is ready, then a response to each task. */
export type ChildMessage<Result> = { ready: true } | { result: Result } | { error: string };

/** Serves the tasks of the parent, in a child process. An error that `work` throws is the fault of its task. */
export function serveTasks<Task, Result>(work: (task: Task) => Result | Promise<Result>): void {
  new Worker(new URL('./lifeline.js', import.meta.url));
  preferForOomKill();
  const send = (message: ChildMessage<Result>) => process.send?.(message);
  process.on('message', async ({ task }: { task: Task }) => {
    try {
      send({ result: await work(task) });
    } catch (error) {
      send({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  send({ ready: true });
}

/** Makes Linux kill this process and not its parent when the machine runs out of memory. */
function preferForOomKill(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Some containers do not allow this setting.
  }
}
