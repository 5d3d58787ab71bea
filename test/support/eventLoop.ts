import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Processor time of this thread in milliseconds. Unlike real time, it does not include the time of other processes. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Runs `work`. Returns its result, and the longest processor time for which it blocked the event loop. */
export async function withLongestBlock<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  let milliseconds = 0;
  let isOver = false;
  let last = cpuMilliseconds();
  const measure = () => {
    const now = cpuMilliseconds();
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
 * Repeats `work` until its longest block is shorter than `most`, at most five times. Garbage collection and compilation lengthen a block now
 * and then. Work that blocks the event loop does so each time. Garbage of earlier tests is collected first.
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
