/** Resolves when this process is asked to end: by SIGINT, SIGTERM or SIGHUP. Asking again changes nothing. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/** A process started over a channel by another of ours asks itself to end when that one is gone. */
export function endWithParent(): void {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.connected === false) end();
  else process.once('disconnect', end);
}
