import { setTimeout as sleep } from 'node:timers/promises';
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
async function withLongestBlock<Result>(
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

const TRIES = 20;
const PAUSE_MILLISECONDS = 500;

/** Processor time of the yardstick on the machine for which the limits were set, while nothing else ran. */
const YARDSTICK_MILLISECONDS = 8;
const yardstick = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'a"b'.repeat(5) })));

/** How much slower this processor is at the moment, at least 1: two busy threads of one core slow each other down. */
function slowness(): number {
  const times = Array.from({ length: 9 }, () => {
    const begun = cpuMilliseconds();
    JSON.parse(yardstick);
    return cpuMilliseconds() - begun;
  });
  return Math.max(1, (times.toSorted((one, other) => one - other)[4] ?? 0) / YARDSTICK_MILLISECONDS);
}

/**
 * Repeats `work` until its longest block is shorter than `most`, at most 20 times. Garbage collection, compilation and the load of other
 * processes on the memory lengthen a block now and then. Work that blocks the event loop does so each time. After the first try, garbage is
 * collected before each one, and the time is divided by the slowness of the processor before or after, whichever is greater.
 */
export async function withLongestBlockBelow<Result>(
  most: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  const first = await withLongestBlock(work);
  if (first.milliseconds < most) return first;
  for (let tries = 2; ; tries++) {
    collectGarbage();
    const before = slowness();
    const { result, milliseconds } = await withLongestBlock(work);
    const comparable = milliseconds / Math.max(before, slowness());
    if (comparable < most || tries === TRIES) return { result, milliseconds: comparable };
    await sleep(PAUSE_MILLISECONDS);
  }
}
