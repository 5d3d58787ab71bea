/** Resolves at the first SIGINT, SIGTERM or SIGHUP. Later signals are ignored. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/** Ends this process when its parent is gone, if they have an IPC channel. */
export function endWithParent(): void {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.connected === false) end();
  else process.once('disconnect', end);
}
