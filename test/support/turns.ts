/** Processor time of this thread, milliseconds: what other processes of a busy machine take does not count. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The result of a piece of work, and the longest turn of the event loop meanwhile: for so long nothing else was served. */
export async function withLongestTurn<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  let milliseconds = 0;
  let isOver = false;
  let last = spent();
  const turn = () => {
    const now = spent();
    milliseconds = Math.max(milliseconds, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    await new Promise((resolve) => setImmediate(resolve));
    return { result, milliseconds };
  } finally {
    isOver = true;
  }
}
