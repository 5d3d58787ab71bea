import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Processor time of this thread, milliseconds: what other processes of a busy machine take does not count. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The result of a piece of work, and the longest time that it blocked the event loop: nothing else was served meanwhile. */
export async function withLongestBlock<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  let milliseconds = 0;
  let isOver = false;
  let last = spent();
  const measure = () => {
    const now = spent();
    milliseconds = Math.max(milliseconds, now - last);
    last = now;
    if (!isOver) setImmediate(measure);
  };
  setImmediate(measure);
  try {
    const result = await work();
    await new Promise((resolve) => setImmediate(resolve));
    return { result, milliseconds };
  } finally {
    isOver = true;
  }
}

const TRIES = 5;

/**
 * The same for work that can be done again, until the longest block is shorter than `most`, five times at most: garbage collection and
 * compilation lengthen single blocks, while work that blocks the loop does so each time. Garbage of earlier tests is collected before.
 */
export async function withLongestBlockBelow<Result>(
  most: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  for (let tries = 1; ; tries++) {
    collectGarbage();
    const timed = await withLongestBlock(work);
    if (timed.milliseconds < most || tries === TRIES) return timed;
  }
}
